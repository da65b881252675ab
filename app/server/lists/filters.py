"""Builds the filters that several lists share."""

from collections.abc import Callable
from datetime import date

from app.basics.dates import parse_day
from app.basics.text import to_upper_case
from app.contract.limits import BULK_IDS_MAX
from app.server.lists.parsing import (
    CONTAINS_MIN_LETTERS,
    build_like_pattern,
    build_text_condition,
    parse_id,
    parse_ids,
)
from app.server.lists.spec import Filter, ParsedValues

_WORDS_MAX = 8
_DIGITS_MAX = 10


def match_ids(name: str, column: str, *, max_count: int = BULK_IDS_MAX) -> Filter:
    """Match rows by a repeated id parameter, within the actor's scope."""
    return match_related_ids(name, f"{column} = ANY({{ids}})", max_count=max_count)


def match_related_ids(name: str, condition: str, *, max_count: int = BULK_IDS_MAX) -> Filter:
    """Match rows by ids of other records; ``condition`` relates ``{ids}`` to the rows."""

    def parse(values: list[str]) -> ParsedValues:
        return {f"f_{name}": parse_ids(values, max_count)}

    return Filter(name, parse, condition.format(ids=f"%(f_{name})s::bigint[]"), list[int])


def match_days_from(name: str, column: str) -> Filter:
    """Match rows on this day or later, by a timestamp column.

    ``build_day_condition`` explains the cast.
    """
    return Filter(
        name,
        lambda values: {f"f_{name}": parse_day(values[-1])},
        f"{column} >= %(f_{name})s::date::timestamp",
        date,
    )


def match_days_until(name: str, column: str) -> Filter:
    """Match rows on this day or earlier, by a timestamp column."""
    return Filter(
        name,
        lambda values: {f"f_{name}": parse_day(values[-1])},
        f"{column} < (%(f_{name})s::date + 1)::timestamp",
        date,
    )


def match_mask(name: str, column: str, full_mask: int) -> Filter:
    """Match rows by a mask of status bits. The full mask filters nothing."""

    def parse(values: list[str]) -> ParsedValues | None:
        mask = 0
        for value in values:
            mask |= parse_id(value)
        if mask & ~full_mask:
            raise ValueError(values)
        if mask == full_mask:
            return None
        bits = [1 << i for i in range(full_mask.bit_length()) if mask & (1 << i)]
        return {f"f_{name}": bits or [0]}

    return Filter(name, parse, f"{column} = ANY(%(f_{name})s::smallint[])", list[int])


def match_text(
    name: str, *columns: str, clean: Callable[[str], str | None] = to_upper_case
) -> Filter:
    """Match rows with the cleaned value in any of the columns.

    A value of one or two letters matches at the start of a column only.
    """
    key = f"f_{name}"

    def parse(values: list[str]) -> ParsedValues | None:
        value = clean(values[-1])
        if not value:
            return None
        _, parameter = build_text_condition("", key, value)
        return {key: parameter, f"{key}_raw": value}

    def build_sql(parsed_values: ParsedValues) -> str:
        conditions = [build_text_condition(c, key, parsed_values[f"{key}_raw"])[0] for c in columns]
        return " OR ".join(conditions)

    return Filter(name, parse, build_sql)


def match_column(name: str) -> Filter:
    """Match rows by the list's column of this name, with the index of that column."""
    return Filter(name, lambda _values: None, "true", column=name)


def match_words(
    name: str,
    column: str,
    normalize: Callable[[str], str] = str,
    *,
    parts: tuple[str, str] | None = None,
) -> Filter:
    """Match rows whose column contains every word of the value, in any order.

    A single word of one or two letters matches as a prefix.

    Args:
        normalize: turns a word into its stored form.
        parts: the expressions of a description and a code that make up the column. A word then
            matches in the description or at the start of the code, and a number only as a whole
            word of the description ('type 2' does not find 'E10.21').
    """
    key = f"f_{name}"

    def parse(values: list[str]) -> ParsedValues | None:
        words = [normalize(word) for word in (to_upper_case(values[-1]) or "").split(" ") if word]
        if not words:
            return None
        is_short = len(words) == 1 and len(words[0]) < CONTAINS_MIN_LETTERS
        if is_short and not (parts and _is_number(words[0])):
            return {f"{key}_prefix": words[0]}
        values_by_name = {}
        for i, word in enumerate(words[:_WORDS_MAX]):
            values_by_name[f"{key}_{i}"] = build_like_pattern(word)
            if parts:
                values_by_name[f"{key}_{i}_start"] = word
            if parts and _is_number(word):
                values_by_name[f"{key}_{i}_whole"] = rf"\m{word}\M"
        return values_by_name

    def build_sql(parsed_values: ParsedValues) -> str:
        if f"{key}_prefix" in parsed_values:
            return f"starts_with({column}, %({key}_prefix)s)"
        names = [name for i in range(_WORDS_MAX) if (name := f"{key}_{i}") in parsed_values]
        conditions = [f"{column} LIKE %({name})s" for name in names]
        if parts:
            description, code = parts
            for name in names:
                in_description = f"{description} LIKE %({name})s"
                if f"{name}_whole" in parsed_values:
                    in_description = f"{description} ~ %({name}_whole)s"
                conditions.append(f"({in_description} OR starts_with({code}, %({name}_start)s))")
        return " AND ".join(conditions)

    return Filter(name, parse, build_sql)


def _is_number(word: str) -> bool:
    return len(word) <= _DIGITS_MAX and word.isascii() and word.isdigit()


def match_prefix(name: str, column: str, clean: Callable[[str], str | None]) -> Filter:
    """Match rows whose column starts with the cleaned value."""

    def parse(values: list[str]) -> ParsedValues | None:
        value = clean(values[-1])
        return {f"f_{name}": value} if value else None

    return Filter(name, parse, f"starts_with({column}, %(f_{name})s)")


def match_day(name: str, column: str) -> Filter:
    """Match rows on exactly this day, by a date column."""
    return Filter(
        name,
        lambda values: {f"f_{name}": parse_day(values[-1])},
        f"{column} = %(f_{name})s::date",
        date,
    )


def match_flag(name: str, condition: str) -> Filter:
    """Match rows by a checkbox: 'true' applies the condition, 'false' filters nothing."""

    def parse(values: list[str]) -> ParsedValues | None:
        if values[-1] not in ("true", "false"):
            raise ValueError(values[-1])
        return {} if values[-1] == "true" else None

    return Filter(name, parse, condition, bool)


def ignore_parameter(name: str) -> Filter:
    """Accept and ignore a parameter of the specification."""
    return Filter(name, lambda _values: None, "true")


def match_exact_text(name: str, column: str) -> Filter:
    """Match rows whose column equals the upper-cased value."""

    def parse(values: list[str]) -> ParsedValues | None:
        value = to_upper_case(values[-1])
        return {f"f_{name}": value} if value else None

    return Filter(name, parse, f"{column} = %(f_{name})s")


def match_validity(name: str, first: str, last: str) -> Filter:
    """Match rows that are valid on this day; a NULL in ``last`` means still valid."""
    return Filter(
        name,
        lambda values: {f"f_{name}": parse_day(values[-1])},
        f"{first} <= %(f_{name})s::date AND ({last} IS NULL OR {last} >= %(f_{name})s::date)",
        date,
    )
