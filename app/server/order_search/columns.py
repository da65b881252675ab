"""The columns of the advanced search, declared once: what they are called, their SQL, their users.

Conditions on results see released results alone, for everybody (ADR 43). A condition must not tell
what its user cannot read.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any

from app.contract.enumerations import (
    CRITICAL_FLAGS,
    LABELS,
    NOT_ABNORMAL_FLAGS,
    BillTo,
    Fasting,
    Gender,
    OrderStatus,
    Priority,
    ResultFlag,
    ResultStatus,
    Role,
    ToxicologyVerdict,
)
from app.server.lists.spec import Column
from app.server.order_search.rules import SEARCHERS, Kind, Operator, list_operators
from app.server.orders import lists
from app.server.requisitions.lists import PATIENT_NAMES, UNIT


class Source(StrEnum):
    """The records among which a reference is chosen."""

    CLIENTS = "clients"
    PHYSICIANS = "physicians"
    TESTS = "tests"


_NO_CHOICES: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class SearchColumn:
    """A column that conditions compare, that the grid shows, or both.

    Args:
        label, group: what people call it, and where it stands in the list of columns.
        kind: the type of its values; None: it is only shown.
        sql: the expression that conditions compare. It is over the order ``t``, or over the rows
            in ``wrap``.
        wrap: the condition on the order, with ``{condition}`` for the comparison and ``{test}`` for
            the test. An order matches if one of its rows does, and a negative operator if none
            does.
        unscoped: replaces ``wrap`` for actors who see every order, where an index then leads to
            the rows.
        needs_test: a condition names the test whose result it is about. A negative operator then
            says what the result is not, and an order without the result does not match.
        may_be_empty: whether an order may be without a value.
        choices: names on the wire -> stored values.
        labels: what people call the choices, if not by their names.
        source: the records among which a reference is chosen.
        shown: the column of the grid.
        indexed: the column whose index finds letters across all clients.
        roles: who may use it.
        is_selective: equal values leave few orders, which an index finds.
    """

    name: str
    label: str
    group: str
    kind: Kind | None = None
    sql: str = ""
    wrap: str = "{condition}"
    unscoped: str = ""
    needs_test: bool = False
    may_be_empty: bool = False
    choices: Mapping[str, Any] = field(default_factory=lambda: _NO_CHOICES)
    labels: Mapping[str, str] = field(default_factory=dict)
    source: Source | None = None
    shown: Column | None = None
    indexed: Column | None = None
    roles: frozenset[Role] = SEARCHERS
    is_selective: bool = False

    @property
    def operators(self) -> tuple[Operator, ...]:
        """The operators that it has; none if it is only shown."""
        if self.kind is None:
            return ()
        return list_operators(self.kind, may_be_empty=self.may_be_empty)


_ORDER, _PATIENT, _PLACE = "Order", "Patient", "Place"
_PHYSICIAN, _TESTS, _RESULTS = "Ordering physician", "Tests and diagnoses", "Results"
_FOLLOW_UP = "Signature and follow-up"


def _find_column(name: str, new_name: str | None = None) -> Column:
    """The column of the order search, under the name that it has here."""
    column = lists.orders.find_column(name)
    assert column is not None, name
    return replace(column, name=new_name or name)


def _quote_all(values: Iterable[str]) -> str:
    return ", ".join(f"'{value}'" for value in sorted(values))


def _list_statuses() -> Mapping[str, tuple[int, ...]]:
    """The statuses by the names under which they are shown (R 4)."""
    named: dict[str, tuple[int, ...]] = {}
    for status in OrderStatus:
        if status not in (OrderStatus.NONE, OrderStatus.ALL):
            label = LABELS[OrderStatus][status]
            named[label] = (*named.get(label, ()), int(status))
    return named


def _name(kind: type[Any], *, without: Iterable[Any] = ()) -> dict[str, tuple[Any, ...]]:
    """The members of an enumeration by their labels."""
    return {LABELS[kind][member]: (int(member),) for member in kind if member not in without}


def _same(members: Iterable[str]) -> dict[str, tuple[str, ...]]:
    return {str(member): (str(member),) for member in members}


def _show_choice(sql: str, choices: Mapping[str, tuple[int, ...]]) -> str:
    """SQL of the name of a stored number."""
    cases = " ".join(
        f"WHEN {value} THEN '{name}'" for name, values in choices.items() for value in values
    )
    return f"CASE {sql} {cases} END"


_STATUSES = _list_statuses()
_FASTING = _name(Fasting)
_BILL_TO = _name(BillTo, without=(BillTo.NONE,))
_FLAG_CHOICES = _same(ResultFlag)

_REQUISITION = "(SELECT q.{column} FROM requisitions q WHERE q.id = t.requisition_id)"
_OF_REQUISITION = (
    "EXISTS (SELECT 1 FROM requisitions q WHERE q.id = t.requisition_id AND ({condition}))"
)
_PATIENT_CODE = (
    # People may see an order of a patient who has left their scope.
    "coalesce((SELECT p.code FROM patients p WHERE p.id = t.patient_id), "
    "code_of_patient(t.patient_id))"
)
_AGE = "date_part('year', age(t.collection_date, t.patient_birth_date))::int"
_OF_PHYSICIAN = "t.physician_id IN (SELECT y.id FROM physicians y WHERE {condition})"
_PHYSICIAN_NAME = "y.last_name || ', ' || y.first_name"
_SHOWN_PHYSICIAN = "(SELECT {column} FROM physicians y WHERE y.id = t.physician_id)"
_HAS_TEST = (
    "EXISTS (SELECT 1 FROM order_tests ot WHERE ot.order_id = t.id "
    f"AND ot.status <> {ResultStatus.CANCELED:d} AND ({{condition}}))"
)
_SHOWN_TESTS = (
    "(SELECT coalesce(json_agg({column} ORDER BY ot.position), '[]'::json) FROM order_tests ot "
    "LEFT JOIN lab_tests x ON x.id = ot.test_id WHERE ot.order_id = t.id AND ot.parent_id IS NULL)"
)
_OF_TESTS = "t.test_ids && ARRAY(SELECT x.id::integer FROM lab_tests x WHERE {condition})"
_DIAGNOSES = (
    "FROM requisition_diagnoses g JOIN diagnoses d ON d.id = g.diagnosis_id "
    "WHERE g.requisition_id = t.requisition_id"
)
_HAS_DIAGNOSIS = f"EXISTS (SELECT 1 {_DIAGNOSES} AND ({{condition}}))"
_HAS_SITE = "EXISTS (SELECT 1 FROM unnest(t.collection_sites) AS site WHERE {condition})"


def _build_released(table: str, restriction: str = "") -> str:
    """SQL of the newest released version ``r`` of each result, as everybody may read it.

    The lab's policies also admit other versions, so the condition is written out.
    """
    return (
        f"FROM {table} r JOIN order_tests ot ON ot.id = r.order_test_id WHERE r.order_id = t.id "
        f"AND r.released_at IS NOT NULL AND ot.withheld IS NULL "
        f"AND ot.status <> {ResultStatus.CANCELED:d}{restriction} "
        f"AND NOT EXISTS (SELECT 1 FROM {table} n WHERE n.order_test_id = r.order_test_id "
        "AND n.revision > r.revision AND n.released_at IS NOT NULL)"
    )


_RELEASED = _build_released("results", " AND r.withheld IS NULL")
_HAS_RESULT = f"EXISTS (SELECT 1 {_RELEASED} AND ot.test_id = {{test}} AND ({{condition}}))"
_HAS_ANY_RESULT = (
    f"({_HAS_RESULT} OR EXISTS (SELECT 1 {_build_released('toxicology_results')} "
    "AND ot.test_id = {test} AND ({condition})))"
)
_IS_ABNORMAL = f"r.flag <> '' AND r.flag NOT IN ({_quote_all(NOT_ABNORMAL_FLAGS)})"
_IS_CRITICAL = f"r.flag IN ({_quote_all(CRITICAL_FLAGS)})"
_IS_CORRECTED = (
    "EXISTS (SELECT 1 FROM results b WHERE b.order_test_id = r.order_test_id "
    "AND b.revision < r.revision AND b.released_at IS NOT NULL AND "
    "(b.value, b.comment, b.unit, b.reference_range) "
    "IS DISTINCT FROM (r.value, r.comment, r.unit, r.reference_range))"
)
_HAS_ORGANISM = (
    f"EXISTS (SELECT 1 {_build_released('cultures')} AND EXISTS (SELECT 1 "
    "FROM culture_organisms g WHERE g.culture_id = r.id AND ({condition})))"
)
_HAS_UNEXPECTED_DRUG = (
    "EXISTS (SELECT 1 FROM toxicology_assessments a, jsonb_array_elements(a.verdicts) v "
    "WHERE a.order_id = t.id AND NOT EXISTS (SELECT 1 FROM toxicology_assessments n "
    "WHERE n.order_id = t.id AND n.revision > a.revision) "
    f"AND v ->> 'kind' = '{ToxicologyVerdict.UNEXPECTED_POSITIVE}' AND ({{condition}}))"
)
_SIGNED = _find_column("hasSignature", "signed")
_SIGNATURE = "FROM requisition_signatures g WHERE g.requisition_id = t.requisition_id"
_HAS_SIGNER = f"EXISTS (SELECT 1 {_SIGNATURE} AND g.removed_at IS NULL AND ({{condition}}))"
_SHOWN_SIGNER = f"(SELECT g.user_name {_SIGNATURE} AND g.removed_at IS NULL)"
_NOT_PHYSICIANS = SEARCHERS - {Role.PHYSICIAN}
_ACKNOWLEDGED_BY = "t.acknowledged_by_name"

COLUMNS: tuple[SearchColumn, ...] = (
    SearchColumn(
        "code",
        "Order Id",
        _ORDER,
        Kind.TEXT,
        "t.code",
        shown=_find_column("codeValue", "code"),
        indexed=_find_column("codeValue", "code"),
        is_selective=True,
    ),
    SearchColumn(
        "status",
        "Status",
        _ORDER,
        Kind.CHOICE,
        "t.status",
        choices=_STATUSES,
        shown=_find_column("status"),
    ),
    SearchColumn(
        "collectionDate",
        "Collection date",
        _ORDER,
        Kind.MOMENT,
        "t.collection_date",
        shown=_find_column("orderCollectionDate", "collectionDate"),
    ),
    SearchColumn(
        "receivedDate",
        "Received",
        _ORDER,
        Kind.MOMENT,
        "t.received_at",
        shown=_find_column("orderDate", "receivedDate"),
    ),
    SearchColumn(
        "reportedDate",
        "Reported",
        _ORDER,
        Kind.MOMENT,
        "t.reported_at",
        may_be_empty=True,
        shown=Column("reportedDate", "t.reported_at", datetime | None),
    ),
    SearchColumn(
        "requisitionCode",
        "Requisition",
        _ORDER,
        Kind.TEXT,
        "q.code",
        wrap=_OF_REQUISITION,
        unscoped="t.requisition_id IN (SELECT q.id FROM requisitions q WHERE {condition})",
        shown=Column("requisitionCode", _REQUISITION.format(column="code"), str | None),
        is_selective=True,
    ),
    SearchColumn(
        "priority",
        "Priority",
        _ORDER,
        Kind.CHOICE,
        "q.priority",
        wrap=_OF_REQUISITION,
        choices=_same(Priority),
        shown=Column("priority", _REQUISITION.format(column="priority"), str | None),
    ),
    SearchColumn(
        "fasting",
        "Fasting",
        _ORDER,
        Kind.CHOICE,
        "q.fasting",
        wrap=_OF_REQUISITION,
        choices=_FASTING,
        shown=Column(
            "fasting", _show_choice(_REQUISITION.format(column="fasting"), _FASTING), str | None
        ),
    ),
    SearchColumn(
        "billTo",
        "Bill to",
        _ORDER,
        Kind.CHOICE,
        "q.bill_to",
        wrap=_OF_REQUISITION,
        choices=_BILL_TO,
        shown=Column(
            "billTo", _show_choice(_REQUISITION.format(column="bill_to"), _BILL_TO), str | None
        ),
    ),
    SearchColumn(
        "collectionSite",
        "Collection site",
        _ORDER,
        Kind.TEXT,
        "upper(site)",
        wrap=_HAS_SITE,
        may_be_empty=True,
        shown=Column("collectionSite", "array_to_string(t.collection_sites, ', ')", str),
    ),
    SearchColumn(
        "lastName",
        "Last name",
        _PATIENT,
        Kind.TEXT,
        "t.patient_last_name",
        shown=_find_column("patientLastName", "lastName"),
        indexed=PATIENT_NAMES[0],
        is_selective=True,
    ),
    SearchColumn(
        "firstName",
        "First name",
        _PATIENT,
        Kind.TEXT,
        "t.patient_first_name",
        shown=_find_column("patientFirstName", "firstName"),
        indexed=PATIENT_NAMES[1],
        is_selective=True,
    ),
    SearchColumn(
        "middleName",
        "Middle name",
        _PATIENT,
        Kind.TEXT,
        "t.patient_middle_name",
        may_be_empty=True,
        shown=Column("middleName", "t.patient_middle_name", str | None),
    ),
    SearchColumn(
        "patientCode",
        "Patient Id",
        _PATIENT,
        Kind.TEXT,
        _PATIENT_CODE,
        unscoped="t.patient_id IN (SELECT p.id FROM patients p WHERE {condition})",
        shown=Column("patientCode", _PATIENT_CODE, str | None),
        is_selective=True,
    ),
    SearchColumn(
        "birthDate",
        "Birth date",
        _PATIENT,
        Kind.DATE,
        "t.patient_birth_date",
        shown=_find_column("patientDoB", "birthDate"),
        is_selective=True,
    ),
    SearchColumn(
        "age",
        "Age at collection",
        _PATIENT,
        Kind.NUMBER,
        _AGE,
        shown=Column("age", _AGE, int | None),
    ),
    SearchColumn(
        "gender",
        "Gender",
        _PATIENT,
        Kind.CHOICE,
        "t.patient_gender",
        choices=_same(Gender),
        shown=Column("gender", "t.patient_gender", str),
    ),
    SearchColumn(
        "client",
        "Client",
        _PLACE,
        Kind.REFERENCE,
        "t.client_id",
        source=Source.CLIENTS,
        shown=_find_column("client"),
        roles=_NOT_PHYSICIANS,
        is_selective=True,
    ),
    SearchColumn(
        "unit",
        "Unit",
        _PLACE,
        Kind.TEXT,
        UNIT.sql,
        may_be_empty=True,
        shown=_find_column("unit"),
        indexed=UNIT,
        roles=_NOT_PHYSICIANS,
    ),
    SearchColumn(
        "room",
        "Room",
        _PLACE,
        Kind.TEXT,
        "t.room_name",
        may_be_empty=True,
        shown=_find_column("patientRoom", "room"),
        indexed=_find_column("patientRoom", "room"),
    ),
    SearchColumn(
        "bed",
        "Bed",
        _PLACE,
        Kind.TEXT,
        "t.bed",
        may_be_empty=True,
        shown=_find_column("patientBed", "bed"),
        indexed=_find_column("patientBed", "bed"),
    ),
    SearchColumn(
        "physician",
        "Physician",
        _PHYSICIAN,
        Kind.REFERENCE,
        "t.physician_id",
        may_be_empty=True,
        source=Source.PHYSICIANS,
        shown=Column("physician", _SHOWN_PHYSICIAN.format(column=_PHYSICIAN_NAME), str | None),
        is_selective=True,
    ),
    SearchColumn(
        "physicianName",
        "Physician's name",
        _PHYSICIAN,
        Kind.TEXT,
        f"upper({_PHYSICIAN_NAME})",
        wrap=_OF_PHYSICIAN,
        is_selective=True,
    ),
    SearchColumn(
        "physicianNpi",
        "Physician's NPI",
        _PHYSICIAN,
        Kind.TEXT,
        "y.npi",
        wrap=_OF_PHYSICIAN,
        shown=Column("physicianNpi", _SHOWN_PHYSICIAN.format(column="y.npi"), str | None),
        is_selective=True,
    ),
    SearchColumn(
        "orderedTest",
        "Ordered test",
        _TESTS,
        Kind.REFERENCE,
        wrap="t.test_ids && {condition}::integer[]",
        source=Source.TESTS,
        shown=Column("orderedTest", _SHOWN_TESTS.format(column="x.code"), list[str]),
    ),
    SearchColumn(
        "orderedTestName",
        "Name of an ordered test",
        _TESTS,
        Kind.TEXT,
        "upper(x.name)",
        wrap=_OF_TESTS,
        shown=Column("orderedTestName", _SHOWN_TESTS.format(column="ot.name"), list[str]),
    ),
    SearchColumn(
        "orderedTestCode", "Code of an ordered test", _TESTS, Kind.TEXT, "x.code", wrap=_OF_TESTS
    ),
    SearchColumn(
        "test",
        "Test, also in a panel",
        _TESTS,
        Kind.REFERENCE,
        "ot.test_id",
        wrap=_HAS_TEST,
        source=Source.TESTS,
    ),
    SearchColumn(
        "diagnosis",
        "Diagnosis code",
        _TESTS,
        Kind.TEXT,
        "d.code",
        wrap=_HAS_DIAGNOSIS,
        may_be_empty=True,
        shown=Column(
            "diagnosis",
            f"(SELECT coalesce(json_agg(d.code ORDER BY g.position), '[]'::json) {_DIAGNOSES})",
            list[str],
        ),
    ),
    SearchColumn(
        "resultNumber",
        "Result of a test, as a number",
        _RESULTS,
        Kind.NUMBER,
        "r.number",
        wrap=_HAS_RESULT,
        needs_test=True,
    ),
    SearchColumn(
        "resultText",
        "Result of a test, as text",
        _RESULTS,
        Kind.TEXT,
        "upper(r.value)",
        wrap=_HAS_ANY_RESULT,
        needs_test=True,
    ),
    SearchColumn(
        "resultFlag",
        "Flag of a test's result",
        _RESULTS,
        Kind.CHOICE,
        "coalesce(r.flag, '')",
        wrap=_HAS_RESULT,
        needs_test=True,
        choices=_FLAG_CHOICES,
    ),
    SearchColumn(
        "resultAbnormal",
        "A test's result is abnormal",
        _RESULTS,
        Kind.BOOLEAN,
        _IS_ABNORMAL,
        wrap=_HAS_RESULT,
        needs_test=True,
    ),
    SearchColumn(
        "resultCritical",
        "A test's result is critical",
        _RESULTS,
        Kind.BOOLEAN,
        _IS_CRITICAL,
        wrap=_HAS_RESULT,
        needs_test=True,
    ),
    SearchColumn(
        "resultCorrected",
        "A test's result was corrected",
        _RESULTS,
        Kind.BOOLEAN,
        _IS_CORRECTED,
        wrap=_HAS_RESULT,
        needs_test=True,
    ),
    SearchColumn(
        "organism",
        "Organism found",
        _RESULTS,
        Kind.TEXT,
        "upper(g.name)",
        wrap=_HAS_ORGANISM,
        may_be_empty=True,
    ),
    SearchColumn(
        "unexpectedDrug",
        "Drug found, not reported",
        _RESULTS,
        Kind.TEXT,
        "upper(v ->> 'name')",
        wrap=_HAS_UNEXPECTED_DRUG,
        may_be_empty=True,
    ),
    SearchColumn(
        "hasAlert",
        "Has an alert",
        _RESULTS,
        Kind.BOOLEAN,
        _find_column("hasAlert").sql,
        shown=_find_column("hasAlert"),
    ),
    SearchColumn(
        "hasCritical",
        "Has a critical result",
        _RESULTS,
        Kind.BOOLEAN,
        "t.has_critical",
        shown=_find_column("hasCritical"),
    ),
    SearchColumn(
        "hasAbnormal",
        "Has an abnormal result",
        _RESULTS,
        Kind.BOOLEAN,
        "t.has_abnormal",
        shown=_find_column("hasAbnormal"),
    ),
    SearchColumn("signed", "Signed", _FOLLOW_UP, Kind.BOOLEAN, _SIGNED.sql, shown=_SIGNED),
    SearchColumn(
        "signedBy",
        "Signed by",
        _FOLLOW_UP,
        Kind.TEXT,
        "upper(g.user_name)",
        wrap=_HAS_SIGNER,
        shown=Column("signedBy", _SHOWN_SIGNER, str | None),
    ),
    SearchColumn(
        "acknowledged",
        "Acknowledged",
        _FOLLOW_UP,
        Kind.BOOLEAN,
        "t.acknowledged_at IS NOT NULL",
        shown=Column("acknowledged", "t.acknowledged_at IS NOT NULL", bool),
    ),
    SearchColumn(
        "acknowledgedBy",
        "Acknowledged by",
        _FOLLOW_UP,
        Kind.TEXT,
        f"upper({_ACKNOWLEDGED_BY})",
        may_be_empty=True,
        shown=Column("acknowledgedBy", _ACKNOWLEDGED_BY, str | None),
    ),
    SearchColumn(
        "acknowledgedDate",
        "Acknowledged on",
        _FOLLOW_UP,
        Kind.MOMENT,
        "t.acknowledged_at",
        may_be_empty=True,
        shown=_find_column("onlineAckDateTime", "acknowledgedDate"),
    ),
    SearchColumn(
        "missingInfo",
        "Missing information",
        _FOLLOW_UP,
        Kind.BOOLEAN,
        _find_column("hasMissingInfo").sql,
        shown=_find_column("hasMissingInfo", "missingInfo"),
    ),
    SearchColumn(
        "awaitsCollection",
        "Needs a new collection",
        _FOLLOW_UP,
        Kind.BOOLEAN,
        "t.awaits_collection",
        shown=_find_column("awaitsCollection"),
    ),
    SearchColumn(
        "unread",
        "Has unread results",
        _FOLLOW_UP,
        Kind.BOOLEAN,
        "t.is_unread",
        shown=_find_column("isUnread", "unread"),
        roles=_NOT_PHYSICIANS,
    ),
    SearchColumn(
        "unreadByPhysician",
        "Has unread results",
        _FOLLOW_UP,
        Kind.BOOLEAN,
        "t.is_unread_by_physician",
        shown=_find_column("isUnreadByPhysician", "unreadByPhysician"),
        roles=frozenset({Role.PHYSICIAN}),
    ),
)
DEFAULT_COLUMNS = (
    "hasAlert",
    "status",
    "code",
    "collectionDate",
    "lastName",
    "firstName",
    "birthDate",
    "client",
    "orderedTest",
)
"""The columns that are shown unless a search names others."""


@cache
def get_columns(role: Role | None) -> Mapping[str, SearchColumn]:
    """Return the columns that a role may use, by name."""
    return MappingProxyType({c.name: c for c in COLUMNS if role in c.roles})
