"""Validation of a search's conditions (ADR 43): all columns, operators, and values.

A query is a tree of groups ``{combinator: 'and' | 'or', not?, rules}`` and conditions
``{field, operator, value, test?, antibiotic?, names?}`` in the words of react-querybuilder.
``names`` are what a screen showed for ids; they restrict nothing.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol

from app.basics.dates import parse_day
from app.basics.errors import FieldError, PortalError, require_no_errors
from app.basics.text import clean_text, to_upper_case
from app.contract import messages
from app.contract.enumerations import Role
from app.contract.limits import (
    SAVED_SEARCH_NAME_MAX,
    SEARCH_DAYS_MAX,
    SEARCH_DEPTH_MAX,
    SEARCH_RULES_MAX,
    SEARCH_TEXT_MAX,
    SEARCH_VALUES_MAX,
)
from app.server.access.policy import ALL_ROLES, judge_role
from app.server.actor import Actor

SEARCHERS = ALL_ROLES - {Role.PATIENT}
QUERY = "query"
_RULE_PARTS = frozenset({"field", "operator", "value", "test", "antibiotic", "names", "id"})
_NUMBER_MAX = Decimal(10) ** 15
_NUMBER_LETTERS_MAX = 40
_ID_MAX = 2**53


class Kind(StrEnum):
    """The type of a column's values."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    MOMENT = "moment"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    REFERENCE = "reference"


class Operator(StrEnum):
    """The operators of conditions; the names are those of react-querybuilder."""

    EQUAL = "="
    NOT_EQUAL = "!="
    LESS = "<"
    LESS_OR_EQUAL = "<="
    GREATER = ">"
    GREATER_OR_EQUAL = ">="
    BETWEEN = "between"
    CONTAINS = "contains"
    NOT_CONTAINS = "doesNotContain"
    BEGINS_WITH = "beginsWith"
    IN = "in"
    NOT_IN = "notIn"
    IN_LAST_DAYS = "inLastDays"
    EMPTY = "null"
    NOT_EMPTY = "notNull"


OPPOSITES = MappingProxyType(
    {
        Operator.NOT_EQUAL: Operator.EQUAL,
        Operator.NOT_CONTAINS: Operator.CONTAINS,
        Operator.NOT_IN: Operator.IN,
        Operator.EMPTY: Operator.NOT_EMPTY,
    }
)
"""A negative operator -> the operator that it negates."""
_EMPTINESS = (Operator.EMPTY, Operator.NOT_EMPTY)
_COMPARISONS = (
    Operator.EQUAL,
    Operator.NOT_EQUAL,
    Operator.LESS,
    Operator.LESS_OR_EQUAL,
    Operator.GREATER,
    Operator.GREATER_OR_EQUAL,
    Operator.BETWEEN,
)
_DAYS = (
    Operator.BETWEEN,
    Operator.IN_LAST_DAYS,
    *(operator for operator in _COMPARISONS if operator is not Operator.BETWEEN),
)
_OPERATORS: Mapping[Kind, tuple[Operator, ...]] = MappingProxyType(
    {
        Kind.TEXT: (
            Operator.CONTAINS,
            Operator.NOT_CONTAINS,
            Operator.BEGINS_WITH,
            Operator.EQUAL,
            Operator.NOT_EQUAL,
        ),
        Kind.NUMBER: _COMPARISONS,
        Kind.DATE: _DAYS,
        Kind.MOMENT: _DAYS,
        Kind.BOOLEAN: (Operator.EQUAL,),
        Kind.CHOICE: (Operator.IN, Operator.NOT_IN),
        Kind.REFERENCE: (Operator.IN, Operator.NOT_IN),
    }
)


def list_operators(kind: Kind, *, may_be_empty: bool) -> tuple[Operator, ...]:
    """List the operators of a kind of column, the most usual one first."""
    return _OPERATORS[kind] + (_EMPTINESS if may_be_empty else ())


class SearchableColumn(Protocol):
    """The properties of a column that a rule needs."""

    @property
    def kind(self) -> Kind | None:
        """The type of its values; None for a column without operators."""
        ...

    @property
    def operators(self) -> Collection[Operator]:
        """The operators that it has."""
        ...

    @property
    def choices(self) -> Mapping[str, Any]:
        """The values of a choice, by their names."""
        ...

    @property
    def needs_test(self) -> bool:
        """Whether a condition names the test whose result it is about."""
        ...

    @property
    def needs_antibiotic(self) -> bool:
        """Whether a condition names the antibiotic whose interpretation it is about."""
        ...


@dataclass(frozen=True)
class Rule:
    """A valid condition. ``value`` is a tuple for 'between', 'in', and 'notIn'.

    ``antibiotic`` is the code of an antibiotic.
    """

    name: str
    operator: Operator
    value: Any = None
    test_id: int | None = None
    antibiotic: str | None = None


@dataclass(frozen=True)
class Group:
    """A valid group of conditions and groups; one without members restricts nothing."""

    members: "tuple[Rule | Group, ...]" = ()
    is_any: bool = False
    is_negated: bool = False


@dataclass
class _QueryValidation:
    columns: Mapping[str, SearchableColumn]
    errors: list[FieldError] = field(default_factory=list)
    rule_count: int = 0

    @property
    def is_full(self) -> bool:
        """Whether there are more conditions than a search may have."""
        return self.rule_count > SEARCH_RULES_MAX

    def count_rule(self) -> None:
        """Count a condition, and note the first one that is too many."""
        self.rule_count += 1
        if self.rule_count == SEARCH_RULES_MAX + 1:
            self.add_error(QUERY, messages.SEARCH_TOO_MANY_RULES.format(max=SEARCH_RULES_MAX))

    def add_error(self, path: str, message: str) -> None:
        """Note what is wrong at a path ('query.rules.0.value')."""
        self.errors.append(FieldError(path, message))


def judge_exporting(actor: Actor) -> PortalError | None:
    """Judge whether the actor may export the orders that a search finds (DECISIONS 'Results')."""
    return judge_role(actor, SEARCHERS)


def judge_searching(actor: Actor) -> PortalError | None:
    """Return why the actor may not use the advanced search, or None."""
    return judge_role(actor, SEARCHERS)


def validate_query(raw: Any, columns: Mapping[str, SearchableColumn]) -> Group:
    """Return the query's tree; ``columns`` are those that the actor may use, by name.

    Raises:
        BadInput: it is malformed, too deep, or too long; each error names the path of its rule.
    """
    if raw is None:
        return Group()
    validation = _QueryValidation(columns)
    group = _read_group(validation, raw, QUERY, 1)
    require_no_errors(validation.errors)
    return group


def _read_group(validation: _QueryValidation, raw: Any, path: str, depth: int) -> Group:
    if depth > SEARCH_DEPTH_MAX:
        validation.add_error(path, messages.SEARCH_TOO_DEEP.format(max=SEARCH_DEPTH_MAX))
        return Group()
    if not isinstance(raw, dict) or not isinstance(raw.get("rules"), list):
        validation.add_error(path, messages.SEARCH_MALFORMED)
        return Group()
    unknown_keys = set(raw) - {"combinator", "not", "rules", "id"}
    combinator, negation = raw.get("combinator", "and"), raw.get("not", False)
    if unknown_keys or combinator not in ("and", "or") or not isinstance(negation, bool):
        validation.add_error(path, messages.SEARCH_MALFORMED)
    members: list[Rule | Group] = []
    for i, member in enumerate(raw["rules"]):
        if validation.is_full:
            break
        member_path = f"{path}.rules.{i}"
        if isinstance(member, dict) and "rules" in member:
            if not member["rules"]:
                validation.count_rule()  # Groups count too, or a million empty ones would be read.
            group = _read_group(validation, member, member_path, depth + 1)
            # A group that somebody has not filled in yet restricts nothing.
            members += [group] if group.members else []
        else:
            validation.count_rule()
            if not validation.is_full:
                members += _read_rule(validation, member, member_path)
    return Group(tuple(members), is_any=combinator == "or", is_negated=negation is True)


def _read_rule(validation: _QueryValidation, raw: Any, path: str) -> list[Rule]:
    """Return the condition; if it is invalid, return nothing, and note what is wrong."""
    try:
        return [_parse_rule(validation.columns, raw)]
    except _InvalidPart as error:
        validation.add_error(f"{path}{error.part}", error.message)
        return []


class _InvalidPart(Exception):
    """A part of a condition is invalid, with the message for people."""

    def __init__(self, message: str, part: str = ".value") -> None:
        super().__init__()
        self.message, self.part = message, part


def _parse_rule(columns: Mapping[str, SearchableColumn], raw: Any) -> Rule:
    if not isinstance(raw, dict) or set(raw) - _RULE_PARTS or not _are_names(raw.get("names", {})):
        raise _InvalidPart(messages.SEARCH_MALFORMED, "")
    name = raw.get("field")
    if not isinstance(name, str) or name not in columns:
        raise _InvalidPart(messages.SEARCH_COLUMN_UNKNOWN, ".field")
    column = columns[name]
    operator = next((o for o in column.operators if o == raw.get("operator")), None)
    if operator is None:
        raise _InvalidPart(messages.SEARCH_OPERATOR_UNKNOWN, ".operator")
    for part, is_needed in (
        ("test", column.needs_test),
        ("antibiotic", column.needs_antibiotic),
    ):
        if not is_needed and raw.get(part) is not None:
            raise _InvalidPart(messages.SEARCH_MALFORMED, f".{part}")
    test_id = _read_test(raw.get("test")) if column.needs_test else None
    antibiotic = _read_antibiotic(raw.get("antibiotic")) if column.needs_antibiotic else None
    value = _read_value(column, operator, raw.get("value"))
    return Rule(name, operator, value, test_id, antibiotic)


def _are_names(raw: Any) -> bool:
    if not isinstance(raw, dict) or len(raw) > SEARCH_VALUES_MAX + 1:
        return False
    return all(
        isinstance(name, str) and len(key) + len(name) <= 2 * SEARCH_TEXT_MAX
        for key, name in raw.items()
    )


def _read_test(raw: Any) -> int:
    test_id = _find_id(raw)
    if test_id is None:
        raise _InvalidPart(messages.SEARCH_TEST_REQUIRED, ".test")
    return test_id


def _read_antibiotic(raw: Any) -> str:
    code = clean_text(_omit_surrogates(raw)) if isinstance(raw, str) else None
    if not code or len(code) > SEARCH_TEXT_MAX:
        raise _InvalidPart(messages.SEARCH_ANTIBIOTIC_REQUIRED, ".antibiotic")
    return code


def _read_value(column: SearchableColumn, operator: Operator, raw: Any) -> Any:
    if operator in _EMPTINESS:
        return None
    if operator is Operator.IN_LAST_DAYS:
        days = _read_number(raw)
        if days != int(days) or not 1 <= days <= SEARCH_DAYS_MAX:
            raise _InvalidPart(messages.SEARCH_DAYS_INVALID.format(max=SEARCH_DAYS_MAX))
        return int(days)
    if operator in (Operator.IN, Operator.NOT_IN):
        part = ".value.{}" if isinstance(raw, list) else ".value"
        members = enumerate(_read_list(raw))
        return tuple(_read_member(column, member, part.format(i)) for i, member in members)
    if operator is Operator.BETWEEN:
        bounds = raw if isinstance(raw, list) else []
        if len(bounds) != 2:
            raise _InvalidPart(messages.SEARCH_TWO_VALUES)
        first, last = (_read_single(column.kind, bound) for bound in bounds)
        if last < first:
            raise _InvalidPart(messages.SEARCH_BOUNDS_REVERSED)
        return first, last
    return _read_single(column.kind, raw)


def _read_list(raw: Any) -> Sequence[Any]:
    if raw is None or raw == []:
        raise _InvalidPart(messages.SEARCH_VALUE_REQUIRED)
    members = raw if isinstance(raw, list) else [raw]
    if len(members) > SEARCH_VALUES_MAX:
        raise _InvalidPart(messages.SEARCH_TOO_MANY_VALUES.format(max=SEARCH_VALUES_MAX))
    return members


def _read_member(column: SearchableColumn, raw: Any, part: str) -> Any:
    if column.kind is Kind.REFERENCE:
        record_id = _find_id(raw)
        if record_id is None:
            raise _InvalidPart(messages.VALUE_INVALID, part)
        return record_id
    if not isinstance(raw, str) or raw not in column.choices:
        raise _InvalidPart(messages.VALUE_INVALID, part)
    return raw


def _read_single(kind: Kind | None, raw: Any) -> Any:
    if kind is Kind.TEXT:
        return _read_text(raw)
    if kind is Kind.NUMBER:
        return _read_number(raw)
    if kind is Kind.BOOLEAN:
        if not isinstance(raw, bool):
            raise _InvalidPart(messages.SEARCH_VALUE_REQUIRED)
        return raw
    return _read_day(raw)


def _read_text(raw: Any) -> str:
    if raw is not None and not isinstance(raw, str):
        raise _InvalidPart(messages.VALUE_INVALID)
    if raw and len(raw) > SEARCH_TEXT_MAX:
        raise _InvalidPart(messages.VALUE_TOO_LONG.format(max=SEARCH_TEXT_MAX))
    letters = to_upper_case(_omit_surrogates(raw or ""))
    if not letters:
        raise _InvalidPart(messages.SEARCH_VALUE_REQUIRED)
    return letters


def _omit_surrogates(raw: str) -> str:
    """Return text that PostgreSQL can store: without lone surrogates."""
    return raw.encode(errors="ignore").decode()


def _read_number(raw: Any) -> Decimal:
    if raw is None or raw == "":
        raise _InvalidPart(messages.SEARCH_VALUE_REQUIRED)
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        raise _InvalidPart(messages.SEARCH_NUMBER_INVALID)
    if isinstance(raw, str) and len(raw) > _NUMBER_LETTERS_MAX:
        raise _InvalidPart(messages.SEARCH_NUMBER_INVALID)
    try:
        # Python cannot format whole numbers of thousands of digits.
        number = Decimal(raw if isinstance(raw, int) else str(raw).strip())
    except InvalidOperation as error:
        raise _InvalidPart(messages.SEARCH_NUMBER_INVALID) from error
    if not number.is_finite() or abs(number) >= _NUMBER_MAX:
        raise _InvalidPart(messages.SEARCH_NUMBER_INVALID)
    return number


def _read_day(raw: Any) -> date:
    if raw is None or raw == "":
        raise _InvalidPart(messages.SEARCH_VALUE_REQUIRED)
    if not isinstance(raw, str):
        raise _InvalidPart(messages.DATE_INVALID)
    try:
        return parse_day(raw)
    except ValueError as error:
        raise _InvalidPart(messages.DATE_INVALID) from error


def _find_id(raw: Any) -> int | None:
    if isinstance(raw, bool) or not isinstance(raw, int) or not 0 < raw < _ID_MAX:
        return None
    return raw


def validate_name(name: str) -> list[FieldError]:
    """Return what is wrong with the name of a saved search."""
    if not name:
        return [FieldError("name", messages.SELECTION_REQUIRED.format(label="Name"))]
    if len(name) > SAVED_SEARCH_NAME_MAX:
        return [FieldError("name", messages.VALUE_TOO_LONG.format(max=SAVED_SEARCH_NAME_MAX))]
    return []


def is_name_in_use(name: str, other_names: Collection[str]) -> bool:
    """Whether another saved search has this name; names that differ only by case are the same."""
    return name.casefold() in {other.casefold() for other in other_names}
