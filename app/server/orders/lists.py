"""The laboratory results search (R 2.1)."""

from dataclasses import replace
from datetime import datetime

from app.contract.enumerations import (
    CRITICAL_FLAGS,
    NOT_ABNORMAL_FLAGS,
    OrderStatus,
    Priority,
    ResultKind,
    ResultStatus,
    Role,
)
from app.contract.limits import RESULT_COLUMNS_MAX, TAKE_MAX
from app.server.lists import filters
from app.server.lists.spec import Column, JoinedValue, ListSpec, Window, quote_texts
from app.server.orders.models import HAS_MISSING_INFO, Order
from app.server.orders.rules import (
    ABNORMAL_RESULT,
    ALERT_CRITICAL,
    FAMILY_BITS,
    RESULT_COLUMNS_SETTING,
)
from app.server.orders.schemas import EntryProgress, OrderResult
from app.server.orders.verdicts import JudgedResult
from app.server.requisitions.lists import (
    BIRTH_DATE,
    CLIENT_NAME,
    PATIENT_NAMES,
    ROOM_AND_BED_COLUMN,
    SELECTIVE_FILTERS,
    TESTS,
    UNIT,
)

# One subquery for both, because it runs for each row.
_TESTS = (
    "LEFT JOIN LATERAL ("
    "SELECT coalesce(json_agg(ot.name ORDER BY ot.position), '[]'::json) AS names, "
    "coalesce(json_agg(x.code ORDER BY ot.position), '[]'::json) AS codes "
    "FROM order_tests ot LEFT JOIN lab_tests x ON x.id = ot.test_id "
    "WHERE ot.order_id = page.id AND ot.parent_id IS NULL) ordered ON true"
)

# Preliminary is shown as PARTIAL, but its number comes after Canceled.
_PROGRESS = (
    f"CASE t.status WHEN {OrderStatus.PRELIMINARY:d} THEN {OrderStatus.PARTIALLY_RELEASED:d} "
    "ELSE t.status END"
)


def _build_family_sql(kind: ResultKind) -> str:
    return f"t.critical_kinds & {FAMILY_BITS[kind]} <> 0"


_HAS_ALERT = "(t.has_critical OR t.has_unexpected_positive)"
# The SQL of ``rules.find_alert`` and ``rules.list_alert_badges``.
_ALERT_LABEL = (
    "coalesce(nullif((SELECT s.value->>'abnormalResult' FROM lab_settings s "
    f"WHERE s.name = 'toxicology'), ''), '{ABNORMAL_RESULT}')"
)
_ALERT = (
    f"CASE WHEN page.\"hasCritical\" THEN '{ALERT_CRITICAL}' "
    f'WHEN page."hasToxicologyUnexpectedPositive" THEN {_ALERT_LABEL} END'
)
_ALERT_BADGES = (
    "to_json(array_remove(ARRAY["
    f"CASE WHEN page.\"hasCritical\" THEN '{ALERT_CRITICAL}' END, "
    f'CASE WHEN page."hasToxicologyUnexpectedPositive" THEN {_ALERT_LABEL} END], NULL))'
)

# The configured tests, in the lab's order (ADR 47).
_RESULT_COLUMNS = (
    "(SELECT e.value::bigint AS test_id, e.ordinality AS position FROM lab_settings s "
    "CROSS JOIN LATERAL jsonb_array_elements_text(s.value->'tests') WITH ORDINALITY e "
    f"WHERE s.name = '{RESULT_COLUMNS_SETTING}' AND e.ordinality <= {RESULT_COLUMNS_MAX})"
)


def _select_newest_versions(table: str, flag: str, has_no_range: str) -> str:
    """Return SQL of the newest released version of the results of the configured test ``c``."""
    return (
        f"(SELECT x.value, x.unit, {flag} AS flag, x.withheld, "
        f"{has_no_range} AS has_no_range "
        f"FROM order_tests t JOIN {table} x ON x.order_test_id = t.id "
        "WHERE t.order_id = page.id AND t.test_id = c.test_id AND x.released_at IS NOT NULL "
        "ORDER BY x.revision DESC LIMIT 1)"
    )


_HAS_NO_RANGE = "(x.number IS NOT NULL AND coalesce(x.flag, '') = '' AND x.reference_range IS NULL)"
_IS_CRITICAL = f"v.flag IN ({quote_texts(sorted(CRITICAL_FLAGS))})"
_IS_ABNORMAL = f"v.flag <> '' AND v.flag NOT IN ({quote_texts(sorted(NOT_ABNORMAL_FLAGS))})"
# A version under review or withdrawn hides earlier ones, which staff could read.
_ORDER_RESULTS = (
    "(SELECT coalesce(json_agg(json_build_object('testId', c.test_id, 'results', v.value, "
    "'reportAs', concat_ws(' ', v.value, v.unit), 'flag', nullif(v.flag, ''), "
    f"'isAbnormal', coalesce({_IS_ABNORMAL}, false), "
    f"'isCritical', coalesce({_IS_CRITICAL}, false), 'hasNoRange', v.has_no_range) "
    f"ORDER BY c.position), '[]'::json) FROM {_RESULT_COLUMNS} c CROSS JOIN LATERAL ("
    f"{_select_newest_versions('results', 'x.flag', _HAS_NO_RANGE)} UNION ALL "
    f"{_select_newest_versions('toxicology_results', JudgedResult('x').flag, 'false')}) v "
    "WHERE v.withheld IS NULL)"
)

_HAS_MISSING_INFO = HAS_MISSING_INFO.format(table="t.")

# An order shares the signature of its requisition.
_HAS_SIGNATURE = (
    "coalesce((SELECT q.has_signature FROM requisitions q WHERE q.id = t.requisition_id), false)"
)
# Patients do not see the names of users.
_ACK_USER = f"CASE WHEN %(role_name)s <> '{Role.PATIENT}' THEN t.acknowledged_by_name END"

_PRIORITY = "coalesce((SELECT q.priority FROM requisitions q WHERE q.id = t.requisition_id), '')"
# The most urgent first.
_URGENCY = (
    f"array_position(ARRAY['{Priority.STAT}', '{Priority.RUSH}', '{Priority.PRE_OPERATORY}', "
    f"'{Priority.ROUTINE}', ''], {_PRIORITY})"
)
_RELEASED_SEPARATELY = (ResultKind.MICROBIOLOGY, ResultKind.PATHOLOGY)
# The progress of entry, with the tests on hold; only the lab sees it. A preliminary culture is
# neither open nor entered.
_ENTRY = (
    "(SELECT json_build_object("
    f"'open', count(*) FILTER (WHERE e.status = {ResultStatus.PENDING:d}), "
    f"'entered', count(*) FILTER (WHERE e.status = {ResultStatus.UNRELEASED:d}), "
    "'separate', count(*) FILTER ("
    f"WHERE e.status = {ResultStatus.UNRELEASED:d} "
    f"AND e.kind IN ({quote_texts(_RELEASED_SEPARATELY)})), "
    "'held', count(*) FILTER (WHERE EXISTS (SELECT 1 FROM result_holds h "
    "WHERE h.test_id = e.test_id AND h.lifted_at IS NULL "
    "AND (h.order_id IS NULL OR h.order_id = page.id)))) FROM order_tests e "
    "WHERE e.order_id = page.id AND NOT e.is_panel "
    f"AND e.status IN ({ResultStatus.PENDING:d}, {ResultStatus.UNRELEASED:d}))"
)


def _build_test_condition(status: ResultStatus) -> str:
    return (
        "EXISTS (SELECT 1 FROM order_tests e WHERE e.order_id = t.id AND NOT e.is_panel "
        f"AND e.status = {status:d})"
    )


_IS_ALL_ENTERED = (
    f"{_build_test_condition(ResultStatus.UNRELEASED)}"
    f" AND NOT {_build_test_condition(ResultStatus.PENDING)}"
)
_OPEN_TESTS = f"{ResultStatus.PENDING:d},{ResultStatus.UNRELEASED:d}"

# Each has an index of its orders by day (models.py).
_INDEXED_FLAGS = frozenset(
    {
        "criticalResults",
        "alertResults",
        "missingInfo",
        "awaitsCollection",
        "unread",
        "unreadByPhysician",
    }
)

orders = ListSpec(
    name="orders",
    table="orders",
    scope=Order.__scope__,
    columns=(
        Column("id", "t.id", int, sort="indexed", kind="number"),
        Column("codeValue", "t.code", str, sort="indexed", kind="text", trigrams="t.code"),
        Column("orderDate", "t.received_at", datetime, sort="window", kind="moment"),
        Column("orderCollectionDate", "t.collection_date", datetime, sort="indexed", kind="moment"),
        *PATIENT_NAMES,
        replace(BIRTH_DATE, name="patientDoB"),
        Column("clientId", "t.client_id", int, kind="number"),
        replace(CLIENT_NAME, name="client"),
        UNIT,
        Column("patientRoom", "t.room_name", str | None, kind="text", trigrams="t.room_name"),
        Column("patientBed", "t.bed", str | None, kind="text", trigrams="t.bed"),
        ROOM_AND_BED_COLUMN,
        replace(TESTS, name="testNames"),
        Column("status", "t.status", int, sort="window", kind="number", order_sql=_PROGRESS),
        Column(
            "priority",
            _PRIORITY,
            str,
            sort="window",
            kind="text",
            is_hidden=True,
            order_sql=_URGENCY,
        ),
        Column("hasAlert", _HAS_ALERT, bool, sort="window", kind="boolean"),
        Column("hasCritical", "t.has_critical", bool),
        Column("hasToxicologyUnexpectedPositive", "t.has_unexpected_positive", bool),
        Column("hasAbnormal", "t.has_abnormal", bool, sort="window", kind="boolean"),
        Column("criticalResults", _build_family_sql(ResultKind.CLINICAL), bool),
        Column("criticalMicResults", _build_family_sql(ResultKind.MICROBIOLOGY), bool),
        Column("criticalToxResults", _build_family_sql(ResultKind.TOXICOLOGY), bool),
        Column("hasSignature", _HAS_SIGNATURE, bool, sort="window", kind="boolean", is_hidden=True),
        Column("onlineAckUser", _ACK_USER, str | None),
        Column(
            "acknowledgedBy",
            f"upper(coalesce({_ACK_USER}, ''))",
            str,
            sort="window",
            kind="text",
            is_hidden=True,
        ),
        Column(
            "onlineAckDateTime",
            "t.acknowledged_at",
            datetime | None,
            sort="window",
            kind="moment",
            # A cursor needs a value.
            order_sql="coalesce(t.acknowledged_at, '0001-01-01'::timestamp)",
        ),
        Column("hasMissingInfo", _HAS_MISSING_INFO, bool),
        Column("isUnread", "t.is_unread", bool),
        Column("isUnreadByPhysician", "t.is_unread_by_physician", bool),
        Column("awaitsCollection", "t.awaits_collection", bool),
        Column("requisitionId", "t.requisition_id", int),
        Column("version", "t.version", int),
    ),
    filters=(
        filters.match_days_from("startDate", "t.collection_date"),
        filters.match_days_until("endDate", "t.collection_date"),
        filters.match_ids("client", "t.client_id"),
        filters.match_ids("unit", "t.unit_id"),
        filters.match_ids("patient", "t.patient_id"),
        filters.match_mask("status", "t.status", OrderStatus.ALL),
        filters.match_flag("criticalResults", "t.has_critical"),
        filters.match_flag("alertResults", _HAS_ALERT),
        filters.match_flag("missingInfo", _HAS_MISSING_INFO),
        filters.match_flag("awaitsCollection", "t.awaits_collection"),
        filters.match_flag("unread", "t.is_unread"),
        filters.match_flag("unreadByPhysician", "t.is_unread_by_physician"),
        # Orders in which one of these tests, or a member of these panels, is not released. The
        # f-string and ``format`` each halve the double braces, so that one pair is left.
        filters.match_related_ids(
            "openTests",
            "EXISTS (SELECT 1 FROM order_tests w LEFT JOIN order_tests p ON p.id = w.parent_id "
            f"WHERE w.order_id = t.id AND w.status = ANY('{{{{{_OPEN_TESTS}}}}}') "
            "AND (w.test_id = ANY({ids}) OR p.test_id = ANY({ids})))",
        ),
        filters.match_flag("allEntered", f"({_IS_ALL_ENTERED})"),
        filters.match_ids("ids", "t.id", max_count=TAKE_MAX),
        filters.match_ids("clientIds", "t.client_id"),
        filters.match_ids("patientIds", "t.patient_id"),
        filters.match_ids("physicianIds", "t.physician_id"),
    ),
    joins=f'LEFT JOIN requisitions q ON q.id = page."requisitionId" {_TESTS}',
    joined_values=(
        JoinedValue("priority", "coalesce(q.priority, '')", str),
        JoinedValue("hasSignature", "coalesce(q.has_signature, false)", bool),
        JoinedValue("testNames", "ordered.names", list[str]),
        JoinedValue("testCodes", "ordered.codes", list[str]),
        JoinedValue("alert", _ALERT, str | None),
        JoinedValue("alertBadges", _ALERT_BADGES, list[str]),
        JoinedValue("orderResults", _ORDER_RESULTS, list[OrderResult]),
        JoinedValue("entry", "NULL::json", EntryProgress | None, staff_sql=_ENTRY),
    ),
    window=Window(
        first="startDate",
        last="endDate",
        column="orderCollectionDate",
        selective_filters=SELECTIVE_FILTERS | {"column.patientDoB", "column.orderDate"},
        day="t.collection_day",
        covered_filters=_INDEXED_FLAGS | {"status", "column.status", "column.hasAlert"},
    ),
)
