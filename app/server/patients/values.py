"""Distinct last names, first names and birth dates of the patients in an actor's scope.

The advanced search offers them while a value is typed (O 7, 'advanced-search-patient-...'). One
index probe finds each distinct value, so a name of ten thousand patients costs as much as a name
of one.
"""

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from fastapi import Request, Response

from app.basics.dates import parse_day
from app.basics.text import to_upper_case
from app.contract import messages
from app.contract.enumerations import ScopeKind
from app.contract.limits import PAGE_SIZE_DEFAULT, TAKE_MAX
from app.server.access.reader import get_reader
from app.server.access.schemas import Shape
from app.server.audit.service import build_audit_insert
from app.server.lists.document import build_page_model
from app.server.lists.parsing import (
    build_parameter_error,
    build_text_condition,
    parse_parameter,
    parse_whole_number,
)
from app.server.patients.models import Patient

_SKIP_MAX = 10_000
_YEAR = re.compile(r"^(19|20)[0-9]{2}$")
# The page's last value as URL-safe base64.
_CURSOR = (
    "(SELECT translate(encode(convert_to(max(value)::text, 'UTF8'), 'base64'), "
    "E'+/=\\n', '-_') FROM page)"
)
_NO_IDS = "'{}'::bigint[]"
PARAMETERS = {"search": str, "skip": int, "take": int, "after": str}
Condition = tuple[str, dict[str, Any]]


class PatientValue(Shape):
    """A distinct value.

    Attributes:
        id: the value as the filter sends it.
        name: the value as people read it.
    """

    id: str
    name: str


ValuesPage = build_page_model("PatientValuesPage", PatientValue)


@dataclass(frozen=True)
class ValueColumn:
    """A column of patients whose distinct values are offered.

    Attributes:
        name: the SQL of a value's display text.
        search: builds the condition of a search.
    """

    column: str
    name: str
    kind: str
    search: Callable[[str], Condition]


def _build_text_search(column: str) -> Callable[[str], Condition]:
    def build_condition(text: str) -> Condition:
        sql, parameter = build_text_condition(f"p.{column}", "search", text)
        return (sql, {"search": parameter}) if parameter else ("", {})

    return build_condition


def _build_date_search(text: str) -> Condition:
    if _YEAR.match(text):
        first, last = date(int(text), 1, 1), date(int(text), 12, 31)
        return "p.birth_date BETWEEN %(first)s AND %(last)s", {"first": first, "last": last}
    return "p.birth_date = %(search)s", {"search": parse_day(text)}


last_names = ValueColumn("last_name", "value", "text", _build_text_search("last_name"))
first_names = ValueColumn("first_name", "value", "text", _build_text_search("first_name"))
birth_dates = ValueColumn("birth_date", "to_char(value, 'MM/DD/YYYY')", "date", _build_date_search)


async def answer_values(request: Request, values: ValueColumn) -> Response:
    """Return a sorted page of values, as a list does (search, skip, take, after).

    ``next`` is the cursor after the page's last value, if there are more values. ``totalCount``
    counts up to one value after the page, and ``totalIsCapped`` says that there are more.

    Raises:
        BadInput: an unknown parameter, or an invalid value.
    """
    skip, take, search, after = 0, PAGE_SIZE_DEFAULT, "", ""
    for name, text in request.query_params.multi_items():
        if name == "skip":
            skip = parse_whole_number(name, text, 0, _SKIP_MAX)
        elif name == "take":
            take = parse_whole_number(name, text, 1, TAKE_MAX)
        elif name == "search":
            search = to_upper_case(text) or ""
        elif name == "after":
            after = text
        else:
            raise build_parameter_error(name)
    condition, parameters = parse_parameter("search", values.search, search) if search else ("", {})
    if after:
        skip = 0
        after_cursor = f"p.{values.column} > %(after)s::{values.kind}"
        condition = f"{condition} AND {after_cursor}" if condition else after_cursor
        parameters = {**parameters, "after": _parse_cursor(values, after)}
    reader = get_reader(request)
    statement = _build_statement(values, reader.actor.kind, condition)
    page = {"skip": skip, "take": take, "max_count": skip + take + 1}
    row = await reader.fetch_row(statement, {**parameters, **page})
    return Response(row[0], media_type="application/json")


def _parse_cursor(values: ValueColumn, cursor: str) -> str:
    try:
        value = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        return date.fromisoformat(value).isoformat() if values.kind == "date" else value
    except (ValueError, binascii.Error) as error:
        raise build_parameter_error("after", messages.CURSOR_INVALID) from error


@lru_cache(maxsize=64)
def _build_statement(values: ValueColumn, kind: ScopeKind, condition: str) -> str:
    may_walk = kind in (ScopeKind.STAFF, ScopeKind.CLIENT) and "LIKE" not in condition
    source = (
        _build_walk(values, kind, condition) if may_walk else _build_scan(values, kind, condition)
    )
    return (
        f"WITH RECURSIVE {source}, "
        f"seen AS ({build_audit_insert('list', f'patient-{values.column}', _NO_IDS)}), "
        "page AS (SELECT value FROM distinct_values ORDER BY value LIMIT %(take)s OFFSET %(skip)s) "
        "SELECT json_build_object('data', coalesce((SELECT json_agg(json_build_object("
        f"'id', value, 'name', {values.name}) ORDER BY value) FROM page), '[]'::json), "
        "'totalCount', (SELECT count(*) FROM distinct_values), "
        "'totalIsCapped', (SELECT count(*) FROM distinct_values) >= %(max_count)s, 'next', "
        "CASE WHEN (SELECT count(*) FROM distinct_values) >= %(max_count)s "
        f"THEN {_CURSOR} END)::text"
    )


def _build_scan(values: ValueColumn, kind: ScopeKind, condition: str) -> str:
    scope = Patient.__scope__.build_predicate(kind, "p")
    conditions = [part for part in (condition, scope, f"p.{values.column} IS NOT NULL") if part]
    return (
        f"distinct_values AS (SELECT DISTINCT p.{values.column} AS value FROM patients p "
        f"WHERE {' AND '.join(conditions)} ORDER BY value LIMIT %(max_count)s)"
    )


def _build_walk(values: ValueColumn, kind: ScopeKind, condition: str) -> str:
    next_condition = f"p.{values.column} > walk.value"
    return (
        f"walk (value, n) AS (SELECT {_select_smallest_value(values, kind, [condition])}, 1 "
        "UNION ALL "
        f"SELECT {_select_smallest_value(values, kind, [condition, next_condition])}, n + 1 "
        "FROM walk WHERE walk.value IS NOT NULL AND n < %(max_count)s), "
        "distinct_values AS (SELECT value FROM walk WHERE value IS NOT NULL)"
    )


def _select_smallest_value(values: ValueColumn, kind: ScopeKind, conditions: list[str]) -> str:
    """Return SQL of the smallest matching value, by a probe of the index per client."""
    conditions = [condition for condition in conditions if condition]
    order = f"ORDER BY p.{values.column} LIMIT 1"
    if kind is ScopeKind.CLIENT:
        conditions.append(f"p.{Patient.__scope__.client} = branch.id")
        return (
            "(SELECT min(nearest.value) FROM unnest(%(ids)s::bigint[]) AS branch (id) "
            f"CROSS JOIN LATERAL (SELECT p.{values.column} AS value FROM patients p "
            f"WHERE {' AND '.join(conditions)} {order}) nearest)"
        )
    where = f"WHERE {' AND '.join(conditions)} " if conditions else ""
    return f"(SELECT p.{values.column} FROM patients p {where}{order})"
