"""Ready-made filters that several lists share."""

from collections.abc import Callable
from datetime import date

from app.basics.text import capitalise
from app.contract.limits import BULK_IDS_MAX
from app.server.lists.parsing import like_pattern, read_date, read_id, read_ids, text_condition
from app.server.lists.spec import Filter, Parsed

_WORDS_MAX = 8
_DIGITS_MAX = 10


def ids(name: str, column: str, *, most: int = BULK_IDS_MAX) -> Filter:
    """A repeated id parameter; it narrows what the scope allows and can never widen it."""
    return ids_where(name, f"{column} = ANY({{ids}})", most=most)


def ids_where(name: str, condition: str, *, most: int = BULK_IDS_MAX) -> Filter:
    """A repeated id parameter of other records; the condition says with ``{ids}`` which rows go
    with them."""

    def parse(values: list[str]) -> Parsed:
        return {f"f_{name}": read_ids(values, most)}

    return Filter(name, parse, condition.format(ids=f"%(f_{name})s::bigint[]"), list[int])


def from_day(name: str, column: str) -> Filter:
    """Rows on this day or later, by a timestamp column (see ``within_day`` for the cast)."""
    return Filter(
        name,
        lambda values: {f"f_{name}": read_date(values[-1])},
        f"{column} >= %(f_{name})s::date::timestamp",
        date,
    )


def to_day(name: str, column: str) -> Filter:
    """Rows on this day or earlier, by a timestamp column."""
    return Filter(
        name,
        lambda values: {f"f_{name}": read_date(values[-1])},
        f"{column} < (%(f_{name})s::date + 1)::timestamp",
        date,
    )


def mask(name: str, column: str, everything: int) -> Filter:
    """A status mask of bit flags; the mask of all asks for nothing."""

    def parse(values: list[str]) -> Parsed | None:
        wanted = 0
        for value in values:
            wanted |= read_id(value)
        if wanted & ~everything:
            raise ValueError(values)
        if wanted == everything:
            return None
        bits = [1 << i for i in range(everything.bit_length()) if wanted & (1 << i)]
        return {f"f_{name}": bits or [0]}

    return Filter(name, parse, f"{column} = ANY(%(f_{name})s::smallint[])", list[int])


def text(name: str, *columns: str) -> Filter:
    """'Contains' (a prefix under three letters) in any of the columns."""
    key = f"f_{name}"

    def parse(values: list[str]) -> Parsed | None:
        _, parameter = text_condition("", key, values[-1])
        return {key: parameter, f"{key}_raw": values[-1]} if parameter else None

    def sql(parsed: Parsed) -> str:
        conditions = [text_condition(c, key, parsed[f"{key}_raw"])[0] for c in columns]
        return " OR ".join(conditions)

    return Filter(name, parse, sql)


def words(
    name: str,
    column: str,
    read: Callable[[str], str] = str,
    *,
    parts: tuple[str, str] | None = None,
) -> Filter:
    """Every word of the value is somewhere in the column, in any order; a single word of one or
    two letters is a prefix. ``read`` may turn a word into the form in which it is kept.

    ``parts`` says which expressions the column is made of, a description and a code, where a
    word inside a code means nothing: it is in the description or the code begins with it, and a
    number is a whole word of the description ('type 2' is not 'E10.21').
    """
    key = f"f_{name}"

    def parse(values: list[str]) -> Parsed | None:
        found = [read(word) for word in (capitalise(values[-1]) or "").split(" ") if word]
        if not found:
            return None
        if len(found) == 1 and len(found[0]) < 3 and not (parts and _is_number(found[0])):
            return {f"{key}_prefix": found[0]}
        parsed = {}
        for i, word in enumerate(found[:_WORDS_MAX]):
            parsed[f"{key}_{i}"] = like_pattern(word)
            if parts:
                parsed[f"{key}_{i}_start"] = word
            if parts and _is_number(word):
                parsed[f"{key}_{i}_whole"] = rf"\m{word}\M"
        return parsed

    def sql(parsed: Parsed) -> str:
        if f"{key}_prefix" in parsed:
            return f"starts_with({column}, %({key}_prefix)s)"
        kept = [each for i in range(_WORDS_MAX) if (each := f"{key}_{i}") in parsed]
        conditions = [f"{column} LIKE %({each})s" for each in kept]
        if parts:
            description, code = parts
            conditions += [
                f"({description} ~ %({each}_whole)s OR starts_with({code}, %({each}_start)s))"
                if f"{each}_whole" in parsed
                else f"({description} LIKE %({each})s OR starts_with({code}, %({each}_start)s))"
                for each in kept
            ]
        return " AND ".join(conditions)

    return Filter(name, parse, sql)


def _is_number(word: str) -> bool:
    return len(word) <= _DIGITS_MAX and word.isascii() and word.isdigit()


def prefix(name: str, column: str, clean: Callable[[str], str | None]) -> Filter:
    """Starts with the cleaned value."""

    def parse(values: list[str]) -> Parsed | None:
        wanted = clean(values[-1])
        return {f"f_{name}": wanted} if wanted else None

    return Filter(name, parse, f"starts_with({column}, %(f_{name})s)")


def day(name: str, column: str) -> Filter:
    """Exactly this day, on a date column."""
    return Filter(
        name,
        lambda values: {f"f_{name}": read_date(values[-1])},
        f"{column} = %(f_{name})s::date",
        date,
    )


def flag(name: str, condition: str) -> Filter:
    """A checkbox: 'true' asks for the condition, 'false' for nothing."""

    def parse(values: list[str]) -> Parsed | None:
        if values[-1] not in ("true", "false"):
            raise ValueError(values[-1])
        return {} if values[-1] == "true" else None

    return Filter(name, parse, condition, bool)


def ignored(name: str) -> Filter:
    """A parameter of the specification that this list takes and that changes nothing."""
    return Filter(name, lambda _values: None, "true")


def exact_text(name: str, column: str) -> Filter:
    """Equal after upper-casing."""

    def parse(values: list[str]) -> Parsed | None:
        wanted = capitalise(values[-1])
        return {f"f_{name}": wanted} if wanted else None

    return Filter(name, parse, f"{column} = %(f_{name})s")


def day_within(name: str, first: str, last: str) -> Filter:
    """Rows whose validity (``last`` None: open) covers this day."""
    return Filter(
        name,
        lambda values: {f"f_{name}": read_date(values[-1])},
        f"{first} <= %(f_{name})s::date AND ({last} IS NULL OR {last} >= %(f_{name})s::date)",
        date,
    )
