"""The different last names, first names and birth dates of the patients an actor may see.

What the advanced search offers while a value is typed (O 7, 'advanced-search-patient-...').
Different values are walked to along an index, one probe for each, so that a name borne by ten
thousand patients costs as much as one borne by one.
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

from app.basics.text import capitalise
from app.contract import messages
from app.contract.enumerations import ScopeKind
from app.contract.limits import PAGE_SIZE_DEFAULT, TAKE_MAX
from app.server.access.reader import get_reader
from app.server.access.schemas import Shape
from app.server.audit.service import audit_insert
from app.server.lists.document import build_page_model
from app.server.lists.parsing import (
    build_text_condition,
    parameter_error,
    parse_date,
    parse_parameter,
    parse_whole_number,
)
from app.server.patients.models import Patient

_SKIP_MAX = 10_000
_YEAR = re.compile(r"^(19|20)[0-9]{2}$")
# The page's last value in base64 of the kind that may stand in an address.
_CURSOR = (
    "(SELECT translate(encode(convert_to(max(value)::text, 'UTF8'), 'base64'), "
    "E'+/=\\n', '-_') FROM page)"
)
_NONE = "'{}'::bigint[]"
PARAMETERS = {"search": str, "skip": int, "take": int, "after": str}
Condition = tuple[str, dict[str, Any]]


class PatientValue(Shape):
    """One of the values; ``id`` is what a filter takes, ``name`` what a person reads."""

    id: str
    name: str


ValuesPage = build_page_model("PatientValuesPage", PatientValue)


@dataclass(frozen=True)
class Values:
    """A column of patients whose different values are offered, and how a search narrows them."""

    column: str
    name: str
    kind: str
    search: Callable[[str], Condition]


def _by_text(column: str) -> Callable[[str], Condition]:
    def condition(text: str) -> Condition:
        sql, wanted = build_text_condition(f"p.{column}", "wanted", text)
        return (sql, {"wanted": wanted}) if wanted else ("", {})

    return condition


def _by_date(text: str) -> Condition:
    if _YEAR.match(text):
        first, last = date(int(text), 1, 1), date(int(text), 12, 31)
        return "p.birth_date BETWEEN %(first)s AND %(last)s", {"first": first, "last": last}
    return "p.birth_date = %(wanted)s", {"wanted": parse_date(text)}


last_names = Values("last_name", "value", "text", _by_text("last_name"))
first_names = Values("first_name", "value", "text", _by_text("first_name"))
birth_dates = Values("birth_date", "to_char(value, 'MM/DD/YYYY')", "date", _by_date)


async def answer(request: Request, values: Values) -> Response:
    """The list envelope of a page of values, sorted. Parameters: search, skip, take, after.

    ``next`` is the cursor behind the page's last value while there are more. ``totalCount``
    counts what was looked at, up to one value behind the page; ``totalIsCapped`` says that there
    are more.

    Raises:
        BadInput: an unknown parameter, or a value that can not be read.
    """
    skip, take, search, after = 0, PAGE_SIZE_DEFAULT, "", ""
    for name, text in request.query_params.multi_items():
        if name == "skip":
            skip = parse_whole_number(name, text, 0, _SKIP_MAX)
        elif name == "take":
            take = parse_whole_number(name, text, 1, TAKE_MAX)
        elif name == "search":
            search = capitalise(text) or ""
        elif name == "after":
            after = text
        else:
            raise parameter_error(name)
    condition, wanted = parse_parameter("search", values.search, search) if search else ("", {})
    if after:
        skip = 0
        behind = f"p.{values.column} > %(after)s::{values.kind}"
        condition = f"{condition} AND {behind}" if condition else behind
        wanted = {**wanted, "after": _read_cursor(values, after)}
    reader = get_reader(request)
    statement = _statement(values, reader.actor.kind, condition)
    page = {"skip": skip, "take": take, "most": skip + take + 1}
    row = await reader.fetch_row(statement, {**wanted, **page})
    return Response(row[0], media_type="application/json")


def _read_cursor(values: Values, cursor: str) -> str:
    try:
        value = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        return date.fromisoformat(value).isoformat() if values.kind == "date" else value
    except (ValueError, binascii.Error) as error:
        raise parameter_error("after", messages.CURSOR_INVALID) from error


@lru_cache(maxsize=64)
def _statement(values: Values, kind: ScopeKind, condition: str) -> str:
    walks = kind in (ScopeKind.STAFF, ScopeKind.CLIENT) and "LIKE" not in condition
    found = _walk(values, kind, condition) if walks else _all(values, kind, condition)
    return (
        f"WITH RECURSIVE {found}, "
        f"seen AS ({audit_insert('list', f'patient-{values.column}', _NONE)}), "
        "page AS (SELECT value FROM found ORDER BY value LIMIT %(take)s OFFSET %(skip)s) "
        "SELECT json_build_object('data', coalesce((SELECT json_agg(json_build_object("
        f"'id', value, 'name', {values.name}) ORDER BY value) FROM page), '[]'::json), "
        "'totalCount', (SELECT count(*) FROM found), "
        "'totalIsCapped', (SELECT count(*) FROM found) >= %(most)s, 'next', "
        f"CASE WHEN (SELECT count(*) FROM found) >= %(most)s THEN {_CURSOR} END)::text"
    )


def _all(values: Values, kind: ScopeKind, condition: str) -> str:
    conditions = [part for part in (condition, Patient.__scope__.predicate(kind, "p")) if part]
    return (
        f"found AS (SELECT DISTINCT p.{values.column} AS value FROM patients p "
        f"WHERE {' AND '.join(conditions)} ORDER BY value LIMIT %(most)s)"
    )


def _walk(values: Values, kind: ScopeKind, condition: str) -> str:
    further = f"p.{values.column} > walk.value"
    return (
        f"walk (value, n) AS (SELECT {_nearest(values, kind, [condition])}, 1 UNION ALL "
        f"SELECT {_nearest(values, kind, [condition, further])}, n + 1 "
        "FROM walk WHERE walk.value IS NOT NULL AND n < %(most)s), "
        "found AS (SELECT value FROM walk WHERE value IS NOT NULL)"
    )


def _nearest(values: Values, kind: ScopeKind, conditions: list[str]) -> str:
    """The smallest value under the conditions, asked of each client's own part of the index."""
    kept = [condition for condition in conditions if condition]
    order = f"ORDER BY p.{values.column} LIMIT 1"
    if kind is ScopeKind.CLIENT:
        kept.append(f"p.{Patient.__scope__.client} = branch.id")
        return (
            "(SELECT min(nearest.value) FROM unnest(%(ids)s::bigint[]) AS branch (id) "
            f"CROSS JOIN LATERAL (SELECT p.{values.column} AS value FROM patients p "
            f"WHERE {' AND '.join(kept)} {order}) nearest)"
        )
    where = f"WHERE {' AND '.join(kept)} " if kept else ""
    return f"(SELECT p.{values.column} FROM patients p {where}{order})"
