"""Reads the query of a list request; everything unknown or malformed is a 400 by name."""

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Any

from app.basics.errors import BadInput, FieldError
from app.basics.text import capitalise
from app.contract import messages
from app.contract.limits import PAGE_SIZE_DEFAULT, TAKE_MAX
from app.server.lists.spec import Column, Condition, Filter, ListSpec, Parsed

SKIP_MAX = 10_000_000
_SORT_KEYS_MAX = 3
_ANYWHERE_FROM = 3
_DIGITS_MAX = 18
_LATIN_SPECIALS = str.maketrans({"\\": "\\\\", "%": "\\%", "_": "\\_"})


@dataclass(frozen=True)
class SortKey:
    """One sort key; the id is always the last."""

    column: Column
    descending: bool


@dataclass
class ListQuery:
    """What the caller asked for, checked."""

    skip: int = 0
    take: int = PAGE_SIZE_DEFAULT
    sort: tuple[SortKey, ...] = ()
    after: list[Any] | None = None
    filters: list[tuple[Filter, Parsed]] = field(default_factory=list)
    columns: list[tuple[Column, Condition, Parsed]] = field(default_factory=list)


def refuse(name: str, message: str | None = None) -> BadInput:
    """The 400 that names a parameter."""
    text = message or messages.PARAMETER_INVALID.format(name=name)
    return BadInput.of(FieldError(name, text))


def parse_query(
    spec: ListSpec,
    pairs: list[tuple[str, str]],
    *,
    fixed: frozenset[str] = frozenset(),
    allowed: frozenset[str] | None = None,
) -> ListQuery:
    """Read the query's pairs. Names in ``fixed`` belong to the endpoint and are left alone;
    ``allowed``, where given, names all that this call takes of what the list knows.

    Raises:
        BadInput: an unknown parameter or column, or a value that can not be read.
    """
    grouped: dict[str, list[str]] = {}
    for name, value in pairs:
        grouped.setdefault(name, []).append(value)
    query = ListQuery(take=spec.take)
    sort_text = spec.default_sort
    after: str | None = None
    for name, values in grouped.items():
        if name in fixed:
            continue
        if allowed is not None and name not in allowed:
            raise refuse(name, messages.PARAMETER_UNKNOWN.format(name=name))
        if name == "skip":
            query.skip = whole_number(name, values[-1], 0, SKIP_MAX)
        elif name == "take":
            query.take = _take(values[-1])
        elif name == "sort":
            sort_text = values[-1] or spec.default_sort
        elif name == "after":
            after = values[-1] or None
        elif name.startswith("column."):
            _add_column(spec, query, name, values[-1])
        else:
            _add_filter(spec, query, name, values)
    query.sort = _sort(spec, sort_text)
    if after:
        query.after = read_cursor(after, query.sort)
    return query


def read_cursor(cursor: str, sort: tuple[SortKey, ...]) -> list[Any]:
    """The values of a cursor made for the same sort order."""
    try:
        content = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        mark, values = content
        if mark != _sort_mark(sort) or len(values) != len(sort):
            raise ValueError
        if not all(_may_be_of_a_row(value) for value in values):
            raise ValueError
    except (ValueError, TypeError, RecursionError) as error:
        raise refuse("after", messages.CURSOR_INVALID) from error
    return list(values)


def _may_be_of_a_row(value: Any) -> bool:
    """Whether a column can have this value; raises ValueError for half a character of text."""
    if isinstance(value, str):
        return b"\0" not in value.encode()
    return value is None or isinstance(value, int | float)


def make_cursor(sort: tuple[SortKey, ...], values: list[Any]) -> str:
    """A cursor behind the row with these sort values."""
    text = json.dumps([_sort_mark(sort), values], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_date(text: str) -> date:
    """``yyyy-MM-dd``, ``MM/DD/YYYY``, or a date-time of which only the day counts."""
    day = text.strip()[:10]
    if len(day) == 10 and day[2] == day[5] == "/":
        day = f"{day[6:]}-{day[:2]}-{day[3:5]}"
    return date.fromisoformat(day)


def read_with(name: str, read: Callable[[str], Any], text: str) -> Any:
    """``read(text)``, with a 400 naming the parameter when it can not be read."""
    try:
        return read(text)
    except (ValueError, OverflowError) as error:
        raise refuse(name) from error


def read_id(text: str) -> int:
    """An id: a whole number below 2^53."""
    if not _is_number(text) or int(text) >= 2**53:
        raise ValueError(text)
    return int(text)


def read_ids(values: list[str], most: int) -> list[int]:
    """Ids of a parameter that is repeated, or holds several between commas.

    Raises:
        ValueError: one is no id, or there are more than ``most``.
    """
    found = [read_id(part) for value in values for part in value.split(",")]
    if len(found) > most:
        raise ValueError(len(found))
    return found


def whole_number(name: str, text: str, low: int, high: int) -> int:
    """A whole number within bounds.

    Raises:
        BadInput: it is none, or out of bounds.
    """
    if not _is_number(text) or not low <= int(text) <= high:
        raise refuse(name)
    return int(text)


def _is_number(text: str) -> bool:
    # Longer ones are no number of ours, and Python refuses to read them at all at some length.
    return len(text) <= _DIGITS_MAX and text.isascii() and text.isdigit()


def like_pattern(text: str) -> str:
    """A LIKE pattern that finds ``text`` literally, anywhere."""
    return f"%{text.translate(_LATIN_SPECIALS)}%"


def text_condition(expression: str, placeholder: str, value: str) -> tuple[str, Any]:
    """'Contains' from three letters on, a prefix below that; stored text is upper-case."""
    wanted = capitalise(value) or ""
    if len(wanted) >= _ANYWHERE_FROM:
        return f"{expression} LIKE %({placeholder})s", like_pattern(wanted)
    return f"starts_with({expression}, %({placeholder})s)", wanted


def within_day(expression: str, placeholder: str) -> str:
    """A timestamp on a day. The bounds are timestamps too: comparing a timestamp with a date is
    not leakproof, and under row-level security the index would not be used for it."""
    return (
        f"{expression} >= %({placeholder})s::date::timestamp "
        f"AND {expression} < (%({placeholder})s::date + 1)::timestamp"
    )


def _add_column(spec: ListSpec, query: ListQuery, name: str, value: str) -> None:
    column = spec.column(name.removeprefix("column."))
    if column is None or column.kind is None:
        raise refuse(name, messages.PARAMETER_UNKNOWN.format(name=name))
    if not value.strip():
        return
    key = f"c_{column.name}"
    if column.kind == "text":
        _add_text(query, column, key, value)
        return
    if column.kind == "date":
        parameter = read_with(name, read_date, value)
        sql = f"{column.sql} = %({key})s::date"
    elif column.kind == "moment":
        parameter = read_with(name, read_date, value)
        sql = within_day(column.sql, key)
    elif column.kind == "boolean":
        if value not in ("true", "false"):
            raise refuse(name)
        parameter = value == "true"
        sql = f"{column.sql} = %({key})s"
    else:
        parameter = read_with(name, read_id, value)
        sql = f"{column.sql} = %({key})s"
    query.columns.append((column, Condition(sql), {key: parameter}))


def _add_text(query: ListQuery, column: Column, key: str, value: str) -> None:
    letters = capitalise(value)
    if letters is None:  # nothing that anybody sees
        return
    sql, parameter = text_condition(column.sql, key, letters)
    values = {key: parameter}
    condition = Condition(sql)
    if column.known:
        name, _ = text_condition("known.name", key, letters)
        names = f"SELECT known.name FROM {column.known} known WHERE {name}"
        condition = Condition(sql, f"{column.sql} IN ({names})")
    elif column.trigrams:
        # Trigrams find how a text begins too, if they are asked for by a pattern.
        pattern = like_pattern(letters)
        pattern = pattern if len(letters) >= _ANYWHERE_FROM else pattern.removeprefix("%")
        values[f"{key}_like"] = pattern
        condition = Condition(
            sql, f"{column.trigrams} LIKE %({key}_like)s", everywhere=f"({sql}) IS TRUE"
        )
    query.columns.append((column, condition, values))


def _add_filter(spec: ListSpec, query: ListQuery, name: str, values: list[str]) -> None:
    declared = spec.filter(name)
    if declared is None:
        raise refuse(name, messages.PARAMETER_UNKNOWN.format(name=name))
    given = [v for v in values if v.strip() and v != "null"]
    if not given:
        return
    try:
        parsed = declared.parse(given)
    except (ValueError, OverflowError) as error:
        raise refuse(name) from error
    if parsed is not None:
        query.filters.append((declared, parsed))


@lru_cache(maxsize=512)
def _sort(spec: ListSpec, text: str) -> tuple[SortKey, ...]:
    keys: list[SortKey] = []
    for part in text.split(","):
        name = part.strip()
        descending = name.startswith("-")
        name = name.lstrip("+-")
        column = spec.column(name)
        if column is None or column.sort == "no":
            raise refuse("sort", messages.SORT_UNKNOWN.format(name=name))
        keys.append(SortKey(column, descending))
    if len(keys) > _SORT_KEYS_MAX:
        raise refuse("sort")
    if keys[-1].column.name != "id":
        identity = spec.column("id")
        assert identity is not None, f"list {spec.name} needs an id column"
        keys.append(SortKey(identity, keys[-1].descending))
    return tuple(keys)


def _sort_mark(sort: tuple[SortKey, ...]) -> str:
    text = ",".join(f"{'-' if key.descending else ''}{key.column.name}" for key in sort)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _take(text: str) -> int:
    if not _is_number(text) or not 1 <= int(text) <= TAKE_MAX:
        raise refuse("take", messages.TAKE_OUT_OF_RANGE.format(max=TAKE_MAX))
    return int(text)
