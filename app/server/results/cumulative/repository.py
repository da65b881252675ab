"""SQL of cumulative results: one statement per kind, which returns JSON.

Every statement shows the newest released version of results that are not withheld, of orders in
the actor's scope. It checks this itself, because the lab's policies also admit other versions.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from app.contract.enumerations import (
    CRITICAL_FLAGS,
    NOT_ABNORMAL_FLAGS,
    CultureStage,
    ResultKind,
    ResultStatus,
    ScopeKind,
)
from app.server.audit.service import build_audit_insert
from app.server.clients.models import Client
from app.server.lists.spec import quote_texts
from app.server.orders.models import Order
from app.server.orders.verdicts import VERDICT_RANK, JudgedResult
from app.server.patients.models import Patient
from app.server.results.clinical.models import Result
from app.server.results.microbiology.models import CultureFinding, CultureOrganism, CultureVersion
from app.server.results.toxicology.models import ToxicologyAssessment, ToxicologyResult

KINDS = (ResultKind.CLINICAL, ResultKind.MICROBIOLOGY, ResultKind.TOXICOLOGY)


@dataclass(frozen=True)
class _Source:
    """The table of a kind's results, and what their JSON adds to the common properties.

    The expressions read the result ``r``, the order's test ``t``, and the order ``c``.

    Attributes:
        series: the properties that must be equal for two results of a test to be compared.
        is_corrected: a window expression over the released versions of a result.
        values: the expressions of the added properties, by name.
        marks: the expressions that compare a result with the one before, among the rows ``n``, by
            name.
    """

    table: str
    series: str
    is_corrected: str
    values: Mapping[str, str]
    marks: Mapping[str, str]
    joins: str = ""


_VERSIONS = "OVER (PARTITION BY r.order_test_id)"
_HAS_REASON = f"bool_or(r.reason IS NOT NULL) {_VERSIONS}"
"""A version with a reason is a correction, even if the one that it replaced was withdrawn."""


def _compare_versions(expression: str) -> str:
    return f"({_HAS_REASON} OR min({expression}) {_VERSIONS} <> max({expression}) {_VERSIONS})"


def _mark_change(column: str, partition: str) -> str:
    window = f"(PARTITION BY {partition} ORDER BY n.collected, n.order_id)"
    return (
        f"(row_number() OVER {window} > 1 AND n.{column} IS DISTINCT FROM "
        f"lag(n.{column}) OVER {window})"
    )


_JUDGED = JudgedResult("r")
_VERDICT = (
    "(SELECT v ->> 'kind' FROM jsonb_array_elements(a.verdicts) v "
    "WHERE EXISTS (SELECT 1 FROM order_tests z WHERE z.order_id = t.order_id "
    "AND z.test_id = t.test_id AND v -> 'tests' @> to_jsonb(z.id)) "
    f"ORDER BY {VERDICT_RANK} LIMIT 1)"
)
_ORGANISMS = (
    "(SELECT coalesce(json_agg(json_build_object('name', g.name, 'cultureQuantityName', "
    "g.quantity_name, 'mark', g.mark_name) ORDER BY g.position), '[]'::json) "
    f"FROM {CultureOrganism.__tablename__} g WHERE g.culture_id = r.id)"
)
_FINDINGS = (
    "(SELECT coalesce(json_agg(concat_ws(', ', f.name, f.quantity_name) ORDER BY f.position), "
    f"'[]'::json) FROM {CultureFinding.__tablename__} f WHERE f.culture_id = r.id)"
)

_SOURCES = {
    ResultKind.CLINICAL: _Source(
        table=Result.__tablename__,
        series='"unit", "method"',
        is_corrected=_compare_versions(
            "concat_ws('|', r.value, r.comment, r.unit, r.reference_range)"
        ),
        values={
            "result": "r.value",
            "unit": "r.unit",
            "comment": "r.comment",
            "isAbnormal": (
                "coalesce(r.flag <> '' AND r.flag NOT IN "
                f"({quote_texts(sorted(NOT_ABNORMAL_FLAGS))}), false)"
            ),
            "isCritical": f"coalesce(r.flag IN ({quote_texts(sorted(CRITICAL_FLAGS))}), false)",
            "organisms": "'[]'::json",
            "number": "r.number",
            "sign": "nullif(r.sign, '')",
            "flag": "nullif(r.flag, '')",
            "method": "r.method",
            "referenceRange": "r.reference_range",
            "low": "r.low",
            "high": "r.high",
        },
        marks={
            "isUnitChanged": _mark_change("unit", 'n."testId"'),
            "isMethodChanged": _mark_change("method", 'n."testId"'),
            "isRangeChanged": _mark_change('"referenceRange"', 'n."testId", n.series'),
        },
    ),
    ResultKind.TOXICOLOGY: _Source(
        table=ToxicologyResult.__tablename__,
        series='"unit"',
        is_corrected=_compare_versions("r.value"),
        joins=(
            "LEFT JOIN LATERAL (SELECT s.verdicts, s.specimen_fault "
            f"FROM {ToxicologyAssessment.__tablename__} s "
            "WHERE s.order_id = c.id ORDER BY s.revision DESC LIMIT 1) a ON true "
            f"LEFT JOIN LATERAL (SELECT {_VERDICT} AS kind) v ON true"
        ),
        values={
            "result": "r.value",
            "unit": "r.unit",
            "comment": "r.comment",
            "isAbnormal": _JUDGED.is_abnormal,
            "isCritical": _JUDGED.is_critical,
            "organisms": "'[]'::json",
            "isDetected": "r.is_detected",
            "cutOff": "r.cut_off",
            "detectionWindow": "r.detection_window",
            "verdict": "v.kind",
            "specimenFault": "a.specimen_fault",
        },
        marks={"isCutOffChanged": _mark_change('"cutOff"', 'n."testId", n.series')},
    ),
    ResultKind.MICROBIOLOGY: _Source(
        table=CultureVersion.__tablename__,
        series='"source", "collectionSite"',
        is_corrected=_HAS_REASON,
        values={
            "result": "r.result",
            "unit": "NULL::text",
            "comment": "r.comment",
            "isAbnormal": "r.is_abnormal",
            "isCritical": "r.is_critical",
            "organisms": _ORGANISMS,
            "source": "r.source_name",
            "collectionSite": "r.site_name",
            "findings": _FINDINGS,
            "isPreliminary": f"r.stage = '{CultureStage.PRELIMINARY}'",
        },
        marks={},
    ),
}

_COMMON = {
    "id": "t.id",
    "testId": "t.test_id",
    "name": "t.name",
    "resultType": "l.result_type",
}
_ORDER = (
    "json_build_object('id', c.id, 'code', c.code, 'date', c.collection_date, 'client', "
    "(SELECT k.name FROM names k WHERE k.id = c.client_id), 'results', c.results)"
)
_ORIGIN = "origin AS MATERIALIZED (SELECT o.* FROM orders o WHERE o.id = %(order)s AND {orders})"
# OFFSET 0 keeps the planner from walking all orders by date instead of those of the patient.
_OF_PATIENT = """
    FROM (SELECT y.* FROM orders y
        WHERE y.patient_id = (SELECT origin.patient_id FROM origin) OFFSET 0) x
    WHERE {orders} AND x.collection_date >= %(first)s::date
        AND x.collection_date < %(last)s::date + 1
        AND (%(physicians)s::bigint[] IS NULL OR x.physician_id = ANY(%(physicians)s::bigint[]))
"""
_DAYS = """
WITH {origin}, chosen AS MATERIALIZED (
    SELECT x.id, x.code, x.client_id, x.collection_date {of_patient}
        AND (%(client)s::bigint IS NULL OR x.client_id = %(client)s)
        AND {has_results}
    ORDER BY x.collection_date DESC, x.id DESC LIMIT %(records)s
), audited AS ({audited}), {results}
SELECT CASE WHEN EXISTS (SELECT 1 FROM origin) THEN coalesce((
    SELECT json_agg(json_build_object('collectionDate', d.day, 'orders', d.orders)
        ORDER BY d.day DESC)
    FROM (
        SELECT c.collection_date::date AS day, json_agg({order} ORDER BY c.collection_date DESC,
            c.id DESC) AS orders
        FROM by_order c GROUP BY 1
    ) d
), '[]'::json)::text END
"""
_SELECTED_RESULTS = """
WITH chosen AS MATERIALIZED (
    SELECT x.id, x.code, x.client_id, x.collection_date FROM orders x WHERE {orders}
        AND x.id IN (SELECT s.order_id FROM order_tests s WHERE s.id = ANY(%(chosen)s::bigint[]))
), {results}
SELECT coalesce(json_agg({order} ORDER BY c.collection_date DESC, c.id DESC), '[]'::json)
FROM by_order c
"""
# Each row carries the values of its order. A join with the orders would be slow: PostgreSQL expects
# few rows here, so for each order it would read the results of all of them again.
_RESULTS = """
names AS MATERIALIZED (
    SELECT k.id, k.name FROM clients k
    WHERE k.id IN (SELECT chosen.client_id FROM chosen) AND {clients}
), newest AS (
    SELECT DISTINCT ON (r.order_test_id) c.id AS order_id, c.code, c.client_id,
        c.collection_date AS collected, t.position, {values},
        {is_corrected} AS "isCorrected"
    FROM chosen c JOIN {table} r ON r.order_id = c.id JOIN order_tests t ON t.id = r.order_test_id
    JOIN lab_tests l ON l.id = t.test_id {joins}
    WHERE {visible}
    ORDER BY r.order_test_id, r.revision DESC
), n AS (
    SELECT newest.*, concat("testId", '-', ROW({series})) AS series FROM newest
), marked AS (SELECT n.*{marks} FROM n), by_order AS (
    SELECT m.order_id AS id, m.code, m.client_id, m.collected AS collection_date,
        json_agg({row} ORDER BY m.position) AS results
    FROM marked m GROUP BY 1, 2, 3, 4
)
"""
_INFO = """
WITH {origin}, audited AS ({audited})
SELECT (SELECT json_build_object(
    'orderId', o.id, 'codeValue', o.code, 'collectionDate', o.collection_date,
    'patientId', o.patient_id, 'patientCode', code_of_patient(o.patient_id),
    'patientFirstName', o.patient_first_name,
    'patientMiddleName', o.patient_middle_name, 'patientLastName', o.patient_last_name,
    'patientBirthDate', o.patient_birth_date, 'patientGender', o.patient_gender,
    'patientAddress', p.address, 'patientCity', z.city, 'patientState', z.state,
    'patientZipCode', z.code, 'patientPhone', p.phone, {kinds})::text
FROM origin o LEFT JOIN patients p ON p.id = o.patient_id AND {patients}
LEFT JOIN zip_codes z ON z.id = p.zip_code_id)
"""
_CLIENTS = """
WITH {origin}, seen AS MATERIALIZED (
    SELECT DISTINCT x.client_id {of_patient} AND ({has_results})
), audited AS ({audited})
SELECT CASE WHEN EXISTS (SELECT 1 FROM origin) THEN coalesce((
    SELECT json_agg(json_build_object('id', k.id, 'code', k.code, 'name', k.name)
        ORDER BY k.name, k.id)
    FROM (
        SELECT k.* FROM seen JOIN clients k ON k.id = seen.client_id AND {clients}
        ORDER BY k.name, k.id LIMIT %(limit)s
    ) k
), '[]'::json)::text END
"""


def _build_visibility(kind: ResultKind) -> str:
    """Return SQL that tells whether the version ``r`` of the order's test ``t`` may be shown."""
    return (
        "r.released_at IS NOT NULL AND r.withheld IS NULL AND t.withheld IS NULL "
        f"AND t.status <> {ResultStatus.CANCELED:d} AND t.kind = '{kind}'"
    )


def _build_has_results(kind: ResultKind) -> str:
    return (
        f"EXISTS (SELECT 1 FROM {_SOURCES[kind].table} r "
        "JOIN order_tests t ON t.id = r.order_test_id "
        f"WHERE r.order_id = x.id AND {_build_visibility(kind)})"
    )


def _build_results(kind: ResultKind, condition: str, scope: ScopeKind) -> str:
    source = _SOURCES[kind]
    values = {**_COMMON, **source.values}
    names = [*values, "series", "isCorrected", *source.marks]
    columns = ", ".join(f'm."{name}"' for name in names)
    return _RESULTS.format(
        clients=Client.__scope__.build_predicate(scope, "k"),
        table=source.table,
        joins=source.joins,
        visible=condition,
        series=source.series,
        values=", ".join(f'{sql} AS "{name}"' for name, sql in values.items()),
        is_corrected=source.is_corrected,
        marks="".join(f', {sql} AS "{name}"' for name, sql in source.marks.items()),
        # Converting a row to JSON takes half as long as json_build_object.
        row=f"(SELECT x FROM (SELECT {columns}) x)",
    )


def _build_origin(scope: ScopeKind) -> str:
    return _ORIGIN.format(orders=Order.__scope__.build_predicate(scope, "o"))


def _build_of_patient(scope: ScopeKind) -> str:
    return _OF_PATIENT.format(orders=Order.__scope__.build_predicate(scope, "x"))


@lru_cache(maxsize=32)
def build_days_statement(kind: ResultKind, scope: ScopeKind) -> str:
    """Return the statement of a patient's results of a kind as JSON text, newest day first.

    It is null for an order out of scope. Parameters: order, first, last, client, physicians (null
    for all), records, and those of the request.
    """
    detail = f"json_build_object('cumulative', '{kind}', 'of', origin.id)"
    return _DAYS.format(
        origin=_build_origin(scope),
        audited=build_audit_insert(
            "read",
            "order-results",
            "ARRAY(SELECT c.id FROM chosen c)",
            detail=detail,
            of="FROM origin",
        ),
        of_patient=_build_of_patient(scope),
        has_results=_build_has_results(kind),
        results=_build_results(kind, _build_visibility(kind), scope),
        order=_ORDER,
    )


@lru_cache(maxsize=32)
def build_selection_statement(kind: ResultKind, scope: ScopeKind) -> str:
    """Return the statement of chosen results of a kind: a JSON array of orders, newest first.

    Results that are not of this kind, not released, or out of scope are left out. Parameters:
    chosen (ids of tests of orders), and those of the scope.
    """
    return _SELECTED_RESULTS.format(
        orders=Order.__scope__.build_predicate(scope, "x"),
        results=_build_results(
            kind, f"{_build_visibility(kind)} AND t.id = ANY(%(chosen)s::bigint[])", scope
        ),
        order=_ORDER,
    )


@lru_cache(maxsize=8)
def build_info_statement(scope: ScopeKind) -> str:
    """Return the statement of ``CumulativeInfo`` as JSON text; null for an order out of scope."""
    orders = Order.__scope__.build_predicate(scope, "x")
    kinds = ", ".join(
        f"'has{kind.capitalize()}Result', EXISTS (SELECT 1 FROM orders x "
        f"WHERE x.patient_id = o.patient_id AND {orders} AND {_build_has_results(kind)})"
        for kind in KINDS
    )
    return _INFO.format(
        origin=_build_origin(scope),
        audited=build_audit_insert("read", "order", "ARRAY[origin.id]", of="FROM origin"),
        kinds=kinds,
        patients=Patient.__scope__.build_predicate(scope, "p"),
    )


@lru_cache(maxsize=8)
def build_clients_statement(scope: ScopeKind) -> str:
    """Return the statement of the clients with results in a period, as JSON text.

    It is null for an order out of scope. Parameters: order, first, last, physicians, limit, and
    those of the request.
    """
    return _CLIENTS.format(
        origin=_build_origin(scope),
        of_patient=_build_of_patient(scope),
        audited=build_audit_insert(
            "read",
            "order",
            "ARRAY[origin.id]",
            detail="json_build_object('cumulative', 'clients')",
            of="FROM origin",
        ),
        has_results=" OR ".join(_build_has_results(kind) for kind in KINDS),
        clients=Client.__scope__.build_predicate(scope, "k"),
    )
