"""Parses the query of a list request. Invalid parameters become a 400 that names them."""

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from app.basics.dates import parse_day
from app.basics.errors import BadInput, FieldError
from app.basics.text import to_upper_case
from app.contract import messages
from app.contract.limits import PAGE_SIZE_DEFAULT, TAKE_MAX
from app.server.lists.spec import Column, Condition, Filter, ListSpec, Lookup, ParsedValues

SKIP_MAX = 10_000_000
SORT_KEYS_MAX = 3
CONTAINS_MIN_LETTERS = 3
"""From this many letters on, an index finds them anywhere in a text."""
_DIGITS_MAX = 18
_LIKE_SPECIALS = str.maketrans({"\\": "\\\\", "%": "\\%", "_": "\\_"})


class SortKey(NamedTuple):
    """A sort key; the last key of a sort is always the id."""

    column: Column
    is_descending: bool
    ignores_order_sql: bool = False
    """Whether rows are sorted by the value itself, in spite of the column's ``order_sql``."""

    @property
    def sql(self) -> str:
        """The expression to sort by."""
        own_order = "" if self.ignores_order_sql else self.column.order_sql
        return own_order or self.column.sql


@dataclass
class ListQuery:
    """The parsed and validated query of a list request."""

    skip: int = 0
    take: int = PAGE_SIZE_DEFAULT
    sort: tuple[SortKey, ...] = ()
    after: list[Any] | None = None
    filters: list[tuple[Filter, ParsedValues]] = field(default_factory=list)
    columns: list[tuple[Column, Condition, ParsedValues]] = field(default_factory=list)


def build_parameter_error(name: str, message: str | None = None) -> BadInput:
    """Build the 400 that names a parameter."""
    text = message or messages.PARAMETER_INVALID.format(name=name)
    return BadInput.of(FieldError(name, text))


def parse_query(
    spec: ListSpec,
    pairs: list[tuple[str, str]],
    *,
    endpoint_parameters: frozenset[str] = frozenset(),
    allowed_names: frozenset[str] | None = None,
) -> ListQuery:
    """Parse the name-value pairs of a query.

    Args:
        endpoint_parameters: parameters that belong to the endpoint and are skipped here.
        allowed_names: the only parameters of the list that are allowed; None allows all of them.

    Raises:
        BadInput: an unknown parameter or column, or an invalid value.
    """
    values_by_name: dict[str, list[str]] = {}
    for name, value in pairs:
        values_by_name.setdefault(name, []).append(value)
    query = ListQuery(take=spec.take)
    sort_text = spec.default_sort
    after: str | None = None
    for name, values in values_by_name.items():
        if name in endpoint_parameters:
            continue
        if allowed_names is not None and name not in allowed_names:
            raise build_parameter_error(name, messages.PARAMETER_UNKNOWN.format(name=name))
        if name == "skip":
            query.skip = parse_whole_number(name, values[-1], 0, SKIP_MAX)
        elif name == "take":
            query.take = _parse_take(values[-1])
        elif name == "sort":
            sort_text = values[-1] or spec.default_sort
        elif name == "after":
            after = values[-1] or None
        elif name.startswith("column."):
            _add_column(spec, query, name, values[-1])
        else:
            _add_filter(spec, query, name, values)
    _validate_period(spec, query)
    query.sort = parse_sort(spec, sort_text)
    if after:
        query.after = parse_cursor(after, query.sort)
    return query


def _validate_period(spec: ListSpec, query: ListQuery) -> None:
    """Reject a last day before the first (P 5, 'Date range')."""
    if spec.window is None:
        return
    days = {
        list_filter.name: parsed_values[f"f_{list_filter.name}"]
        for list_filter, parsed_values in query.filters
        if list_filter.name in (spec.window.first, spec.window.last)
    }
    first, last = days.get(spec.window.first), days.get(spec.window.last)
    if first is not None and last is not None and last < first:
        raise BadInput.of(FieldError(spec.window.last, messages.END_DATE_BEFORE_START))


def parse_cursor(cursor: str, sort: tuple[SortKey, ...]) -> list[Any]:
    """Parse the values of a cursor, which must have been made for the same sort."""
    try:
        content = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        sort_hash, values = content
        if sort_hash != _hash_sort(sort) or len(values) != len(sort):
            raise ValueError
        if not all(_is_column_value(value) for value in values):
            raise ValueError
    except (ValueError, TypeError, RecursionError) as error:
        raise build_parameter_error("after", messages.CURSOR_INVALID) from error
    return list(values)


def _is_column_value(value: Any) -> bool:
    """Whether a column can hold the value. Raises ValueError for text with a lone surrogate."""
    if isinstance(value, str):
        return b"\0" not in value.encode()
    return value is None or isinstance(value, int | float)


def format_cursor(sort: tuple[SortKey, ...], values: str) -> str:
    """Format the cursor that continues after a row; ``values`` is the JSON array of its keys."""
    text = f'["{_hash_sort(sort)}",{values}]'
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def parse_parameter(name: str, parse: Callable[[str], Any], text: str) -> Any:
    """Return ``parse(text)``, or raise the 400 that names the parameter."""
    try:
        return parse(text)
    except (ValueError, OverflowError) as error:
        raise build_parameter_error(name) from error


def parse_id(text: str) -> int:
    """Parse an id, a whole number below 2^53, or raise ValueError."""
    if not _is_number(text) or int(text) >= 2**53:
        raise ValueError(text)
    return int(text)


def parse_ids(values: list[str], max_count: int) -> list[int]:
    """Parse the ids of a parameter that is repeated or separated by commas.

    Raises:
        ValueError: a value is not an id, or there are more than ``max_count``.
    """
    ids = [parse_id(part) for value in values for part in value.split(",")]
    if len(ids) > max_count:
        raise ValueError(len(ids))
    return ids


def _parse_numbers(text: str) -> list[int]:
    return parse_ids([text], TAKE_MAX)


def parse_whole_number(name: str, text: str, low: int, high: int) -> int:
    """Parse a whole number from ``low`` to ``high``.

    Raises:
        BadInput: the text is not a number, or out of bounds.
    """
    if not _is_number(text) or not low <= int(text) <= high:
        raise build_parameter_error(name)
    return int(text)


def _is_number(text: str) -> bool:
    # No number of ours is longer, and int() raises an error for thousands of digits.
    return len(text) <= _DIGITS_MAX and text.isascii() and text.isdigit()


def build_like_pattern(text: str) -> str:
    """Build a LIKE pattern that matches ``text`` literally, anywhere in a value."""
    return f"%{text.translate(_LIKE_SPECIALS)}%"


def build_text_condition(expression: str, placeholder: str, value: str) -> tuple[str, Any]:
    """Build a condition and its value: 'contains' from three letters on, a prefix below that."""
    letters = to_upper_case(value) or ""  # stored text is upper-case
    is_anywhere = len(letters) >= CONTAINS_MIN_LETTERS
    parameter = build_like_pattern(letters) if is_anywhere else letters
    return _match_text(expression, placeholder, is_anywhere=is_anywhere), parameter


def _match_text(expression: str, placeholder: str, *, is_anywhere: bool) -> str:
    """Build the condition that a text contains letters, or starts with them."""
    if is_anywhere:
        return f"{expression} LIKE %({placeholder})s"
    return f"starts_with({expression}, %({placeholder})s)"


def build_day_condition(expression: str, placeholder: str) -> str:
    """Build the condition that a timestamp falls on a day.

    The bounds are cast to timestamps. Comparing a timestamp with a date is not leakproof, so
    row-level security would keep the index from being used.
    """
    return (
        f"{expression} >= %({placeholder})s::date::timestamp "
        f"AND {expression} < (%({placeholder})s::date + 1)::timestamp"
    )


def _add_column(spec: ListSpec, query: ListQuery, name: str, value: str) -> None:
    column = spec.find_column(name.removeprefix("column."))
    if column is None or column.kind is None:
        raise build_parameter_error(name, messages.PARAMETER_UNKNOWN.format(name=name))
    if not value.strip():
        return
    key = f"c_{column.name}"
    if column.kind == "text":
        _add_text(query, column, key, value)
        return
    if column.kind == "date":
        parameter = parse_parameter(name, parse_day, value)
        sql = f"{column.sql} = %({key})s::date"
    elif column.kind == "moment":
        parameter = parse_parameter(name, parse_day, value)
        sql = build_day_condition(column.sql, key)
    elif column.kind == "boolean":
        if value not in ("true", "false"):
            raise build_parameter_error(name)
        parameter = value == "true"
        sql = f"{column.sql} = %({key})s"
    else:
        parameter = parse_parameter(name, _parse_numbers, value)
        sql = f"{column.sql} = ANY(%({key})s::bigint[])"
    query.columns.append((column, Condition(sql), {key: parameter}))


def _add_text(query: ListQuery, column: Column, key: str, value: str) -> None:
    letters = to_upper_case(value)
    if letters is None:  # only invisible characters
        return
    condition, values = build_letters_condition(column, key, letters)
    query.columns.append((column, condition, values))


def build_letters_condition(
    column: Column, key: str, letters: str
) -> tuple[Condition, dict[str, Any]]:
    """Build the condition that a column has these upper-case letters, with its values."""
    is_anywhere = len(letters) >= CONTAINS_MIN_LETTERS
    pattern = build_like_pattern(letters)
    values = {key: pattern if is_anywhere else letters}
    if column.trigrams and not column.lookup:
        # A trigram index serves prefixes too, but only as LIKE patterns.
        values[f"{key}_like"] = pattern if is_anywhere else pattern.removeprefix("%")
    return _build_column_condition(column, key, is_anywhere=is_anywhere), values


@lru_cache(maxsize=512)
def _build_column_condition(column: Column, key: str, *, is_anywhere: bool) -> Condition:
    sql = _match_text(column.filter_sql or column.sql, key, is_anywhere=is_anywhere)
    condition = Condition(sql)
    if column.lookup:
        condition = _build_lookup_condition(column.lookup, column.sql, sql, key, is_anywhere)
    elif column.trigrams:
        condition = Condition(
            sql,
            f"{column.trigrams} LIKE %({key}_like)s AND {sql}",
            unindexed_sql=f"({sql}) IS TRUE",
        )
    return condition._replace(is_anywhere=is_anywhere)


def _build_lookup_condition(
    lookup: Lookup, column_sql: str, sql: str, key: str, is_anywhere: bool
) -> Condition:
    texts = [_match_text(text, key, is_anywhere=is_anywhere) for text in lookup.texts]
    keys = f"SELECT {lookup.key} FROM {lookup.table} lookup WHERE {' OR '.join(texts)}"
    row_sql = lookup.sql.format(keys=keys) if lookup.sql else sql
    unindexed_sql = f"({row_sql}) IS TRUE" if lookup.is_sampled else ""
    indexed_sql = lookup.indexed_sql.format(keys=keys)
    if not lookup.ordered_sql:
        return Condition(row_sql, indexed_sql, unindexed_sql)
    ordered_sql = lookup.ordered_sql.format(keys=keys)
    return Condition(row_sql, indexed_sql, unindexed_sql, ordered_sql, column_sql)


def _add_filter(spec: ListSpec, query: ListQuery, name: str, values: list[str]) -> None:
    list_filter = spec.find_filter(name)
    if list_filter is None:
        raise build_parameter_error(name, messages.PARAMETER_UNKNOWN.format(name=name))
    present_values = [value for value in values if value.strip() and value != "null"]
    if not present_values:
        return
    if list_filter.column:
        column = spec.find_column(list_filter.column)
        assert column is not None, f"list {spec.name} has no column {list_filter.column}"
        _add_text(query, column, f"f_{name}", present_values[-1])
        return
    try:
        parsed_values = list_filter.parse(present_values)
    except (ValueError, OverflowError) as error:
        raise build_parameter_error(name) from error
    if parsed_values is not None:
        query.filters.append((list_filter, parsed_values))


@lru_cache(maxsize=512)
def parse_sort(spec: ListSpec, text: str) -> tuple[SortKey, ...]:
    """Parse the keys of a sort; the id is added as the last one.

    Raises:
        BadInput: an unknown key, or too many keys.
    """
    keys: list[SortKey] = []
    for part in text.split(","):
        name = part.strip()
        is_descending = name.startswith("-")
        name = name.lstrip("+-")
        column = spec.find_column(name)
        if column is None or column.sort == "no":
            raise build_parameter_error("sort", messages.SORT_UNKNOWN.format(name=name))
        keys.append(SortKey(column, is_descending))
    if len(keys) > SORT_KEYS_MAX:
        raise build_parameter_error("sort")
    if keys[-1].column.name != "id":
        id_column = spec.find_column("id")
        assert id_column is not None, f"list {spec.name} needs an id column"
        keys.append(SortKey(id_column, keys[-1].is_descending))
    return tuple(keys)


@lru_cache(maxsize=512)
def _hash_sort(sort: tuple[SortKey, ...]) -> str:
    text = ",".join(f"{'-' if key.is_descending else ''}{key.column.name}" for key in sort)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _parse_take(text: str) -> int:
    if not _is_number(text) or not 1 <= int(text) <= TAKE_MAX:
        raise build_parameter_error("take", messages.TAKE_OUT_OF_RANGE.format(max=TAKE_MAX))
    return int(text)
