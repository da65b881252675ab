"""The list of audit rows, newest first (ADR 67)."""

from collections.abc import Mapping
from datetime import date, datetime
from uuid import UUID

from app.basics.dates import parse_day
from app.contract.enumerations import AuditGroup, AuditOutcome, Role
from app.server.audit.models import DENIED_ROWS
from app.server.audit_viewer import words
from app.server.audit_viewer.schemas import AuditRecord
from app.server.lists import filters
from app.server.lists.spec import (
    Column,
    Filter,
    JoinedValue,
    ListSpec,
    ParsedValues,
    Window,
    quote_texts,
)


def _quote_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _build_case(value: str, texts: Mapping[str, str], otherwise: str) -> str:
    cases = " ".join(
        f"WHEN {_quote_text(name)} THEN {_quote_text(text)}" for name, text in texts.items()
    )
    return f"CASE {value} {cases} ELSE {otherwise} END"


_VERBS = {name: verb for name, (verb, _) in words.ACTIONS.items()}
_WITH_SPACES = "replace({name}, '-', ' ')"
_WHAT = _build_case(
    "t.action",
    {**words.DENIED, **words.ACCOUNT_ACTIONS},
    _build_case("t.action", _VERBS, _WITH_SPACES.format(name="t.action"))
    + " || ' ' || "
    + _build_case("t.kind", words.KINDS, _WITH_SPACES.format(name="t.kind")),
)
# A failed sign-in has no role; jobs and commands have no account.
_ROLE = f"CASE WHEN t.role IN ({quote_texts(Role)}) THEN t.role ELSE '' END"
_PERSON = (
    'coalesce(name_of_user(page."userId"), CASE page."actorKind" '
    "WHEN 'worker' THEN 'The portal' WHEN 'admin' THEN 'Command line' ELSE 'Not signed in' END)"
)
_OBJECT = (
    "coalesce(json_agg(json_build_object('kind', {kind}, 'id', x.id, 'code', x.code, "
    "'name', {name}) ORDER BY x.id), '[]'::json)"
)
_SNAPSHOT = "x.patient_last_name || ', ' || x.patient_first_name"
_NAME = "x.last_name || ', ' || x.first_name"
_OF_PATIENTS = (
    f"(SELECT {_OBJECT.format(kind=_quote_text('patient'), name=_NAME)} "
    'FROM patients x WHERE x.id = ANY(page."recordIds"))'
)
_OF_REQUISITIONS = (
    f"(SELECT {_OBJECT.format(kind=_quote_text('requisition'), name=_SNAPSHOT)} "
    'FROM requisitions x WHERE x.id = ANY(page."recordIds"))'
)
_OF_ORDERS = (
    f"(SELECT {_OBJECT.format(kind=_quote_text('order'), name=_SNAPSHOT)} "
    "FROM orders x WHERE x.id = ANY({ids}))"
)
_OF_USER = (
    "json_build_array(json_build_object('kind', 'user', 'id', NULL, 'code', NULL, "
    "'name', coalesce(name_of_user(page.subject::uuid), '')))"
)
_IDS = 'page."recordIds"'
_ORDERS_OF_NOTICES = f"ARRAY(SELECT n.order_id FROM critical_notices n WHERE n.id = ANY({_IDS}))"
_RECORDS = (
    f"CASE WHEN page.kind IN ({quote_texts(words.PATIENT_KINDS)}) THEN {_OF_PATIENTS} "
    f"WHEN page.kind IN ({quote_texts(words.REQUISITION_KINDS)}) THEN {_OF_REQUISITIONS} "
    f"WHEN page.kind IN ({quote_texts(words.ORDER_KINDS)}) "
    f"THEN {_OF_ORDERS.format(ids=_IDS)} "
    f"WHEN page.kind IN ({quote_texts(words.CRITICAL_KINDS)}) "
    f"THEN {_OF_ORDERS.format(ids=_ORDERS_OF_NOTICES)} "
    f"WHEN page.subject IS NOT NULL THEN {_OF_USER} ELSE '[]'::json END"
)
_SHOWN_RECORDS = 3
_PATIENTS_MAX = 10


def _select_row_ids(kinds: tuple[str, ...], ids: str, route: str = "") -> str:
    """Return SQL of the ids of rows about records; denied requests are matched by route."""
    is_kind = f"e.kind IN ({quote_texts(kinds)})"
    if route:
        is_kind += f" OR (e.kind = 'request' AND e.detail ->> 'route' LIKE '%%/{route}/%%')"
    # IS TRUE keeps the index of kinds out of the plan: it would read a tenth of the log.
    return f"SELECT e.id FROM audit_events e WHERE e.record_ids && {ids} AND ({is_kind}) IS TRUE"


def build_access_condition(patients: str) -> str:
    """Return SQL of the rows about these patients, with requisitions, orders, and results.

    The ids are collected first. A walk along the index of times would read the whole log for a
    patient whom few people saw.
    """
    requisitions = f"ARRAY(SELECT r.id FROM requisitions r WHERE r.patient_id = ANY({patients}))"
    orders = f"ARRAY(SELECT o.id FROM orders o WHERE o.patient_id = ANY({patients}))"
    notices = (
        "ARRAY(SELECT n.id FROM critical_notices n JOIN orders o ON o.id = n.order_id "
        f"WHERE o.patient_id = ANY({patients}))"
    )
    return _build_any(
        _select_row_ids(words.PATIENT_KINDS, patients, "patients"),
        _select_row_ids(words.REQUISITION_KINDS, requisitions, "requisitions"),
        _select_row_ids(words.ORDER_KINDS, orders, "orders"),
        _select_row_ids(words.CRITICAL_KINDS, notices),
    )


def _build_any(*selects: str) -> str:
    return f"t.id = ANY(ARRAY({' UNION ALL '.join(selects)}))"


def _parse_user(values: list[str]) -> ParsedValues:
    return {"f_user": str(UUID(values[-1]))}


def _parse_group(values: list[str]) -> ParsedValues:
    return {"f_actions": words.list_actions(AuditGroup(values[-1]))}


def _parse_outcome(values: list[str]) -> ParsedValues:
    return {"f_outcome": AuditOutcome(values[-1])}


def _build_outcome(parsed_values: ParsedValues) -> str:
    return (
        DENIED_ROWS if parsed_values["f_outcome"] is AuditOutcome.DENIED else f"NOT ({DENIED_ROWS})"
    )


def _parse_code(values: list[str]) -> ParsedValues:
    return {"f_code": values[-1].strip().upper()}


_FIRST = "(%(f_startDate)s::date::timestamp AT TIME ZONE %(zone)s)"
_AFTER = "((%(f_endDate)s::date + 1)::timestamp AT TIME ZONE %(zone)s)"
_OF_CODE = "ARRAY(SELECT x.id FROM {table} x WHERE x.code = %(f_code)s)"

audit_events = ListSpec(
    name="audit-events",
    table="audit_events",
    scope=None,
    columns=(
        Column("id", "t.id", int),
        Column("at", "t.at", datetime, sort="indexed"),
        Column("userId", "t.user_id", str | None, is_hidden=True),
        Column("role", _ROLE, str),
        Column("actorKind", "t.role", str, is_hidden=True),
        Column("kind", "t.kind", str),
        Column("action", "t.action", str),
        Column("what", _WHAT, str),
        Column("isDenied", f"({DENIED_ROWS})", bool),
        Column("recordIds", f"t.record_ids[1:{_SHOWN_RECORDS}]", list[int]),
        Column("recordCount", "cardinality(t.record_ids)", int),
        Column("subject", "t.detail ->> 'user'", str | None, is_hidden=True),
    ),
    filters=(
        Filter(
            "startDate",
            lambda values: {"f_startDate": parse_day(values[-1])},
            f"t.at >= {_FIRST}",
            date,
        ),
        Filter(
            "endDate",
            lambda values: {"f_endDate": parse_day(values[-1])},
            f"t.at < {_AFTER}",
            date,
        ),
        Filter("user", _parse_user, "t.user_id = %(f_user)s::uuid"),
        Filter("group", _parse_group, "t.action = ANY(%(f_actions)s::text[])"),
        Filter("outcome", _parse_outcome, _build_outcome),
        filters.match_flag("withoutUpkeep", f"t.action <> {_quote_text(words.UPKEEP)}"),
        filters.match_related_ids(
            "patient", build_access_condition("{ids}"), max_count=_PATIENTS_MAX
        ),
        Filter(
            "code",
            _parse_code,
            _build_any(
                _select_row_ids(words.REQUISITION_KINDS, _OF_CODE.format(table="requisitions")),
                _select_row_ids(words.ORDER_KINDS, _OF_CODE.format(table="orders")),
            ),
        ),
    ),
    joined_values=(
        JoinedValue("person", _PERSON, str),
        JoinedValue("records", _RECORDS, list[AuditRecord]),
    ),
    window=Window(first="startDate", last="endDate", column="at", selective_filters=frozenset()),
    default_sort="-at",
    defaults={"zone": "UTC"},
)
