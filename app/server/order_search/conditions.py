"""SQL of a search's conditions; values are always parameters."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from app.contract.enumerations import ScopeKind
from app.server.lists.parsing import (
    CONTAINS_MIN_LETTERS,
    ListQuery,
    build_day_condition,
    build_letters_condition,
    build_like_pattern,
)
from app.server.lists.spec import Column, Condition, Filter, ListSpec
from app.server.lists.strategy import count_days, is_unscoped
from app.server.order_search.columns import SearchColumn
from app.server.order_search.rules import OPPOSITES, Group, Kind, Operator, Rule

WINDOW_COLUMN = "collectionDate"
_OTHER = "condition"
_SUBQUERY = Column(_OTHER, "t.id", int)
"""Stands for a condition that no column of the list has."""
_PERIOD_OPERATORS = frozenset(
    {
        Operator.EQUAL,
        Operator.LESS,
        Operator.LESS_OR_EQUAL,
        Operator.GREATER,
        Operator.GREATER_OR_EQUAL,
        Operator.BETWEEN,
        Operator.IN_LAST_DAYS,
    }
)
_DAY = timedelta(days=1)
_LOOKUP_DAYS_MAX = 92
"""For at most a quarter, looking up the results of each order is fastest, however many match."""
_PER_ORDER = " OFFSET 0"
"""SQL that keeps PostgreSQL from collecting the rows of all orders first.

PostgreSQL would choose that because its estimates for conditions on results are far too low.
"""


@dataclass
class _Builder:
    """Builds conditions for one kind of scope; ``values`` has the values of placeholders.

    ``is_per_order`` says whether the rows of each order are looked up separately.
    """

    columns: Mapping[str, SearchColumn]
    kind: ScopeKind
    today: date
    is_per_order: bool
    values: dict[str, Any] = field(default_factory=dict)

    def build(self, node: Rule | Group) -> str:
        """Return the SQL of the condition, which may be null instead of false."""
        if isinstance(node, Rule):
            return self._build_rule(node)
        joined_conditions = (" OR " if node.is_any else " AND ").join(
            f"({self.build(member)})" for member in node.members
        )
        return f"({joined_conditions}) IS NOT TRUE" if node.is_negated else joined_conditions

    def _build_rule(self, rule: Rule) -> str:
        column = self.columns[rule.name]
        wrap = (
            column.unscoped_wrap if column.unscoped_wrap and is_unscoped(self.kind) else column.wrap
        )
        sql = _get_plain_sql(column) if wrap is column.unscoped_wrap else column.sql
        opposite = OPPOSITES.get(rule.operator)
        is_false = column.kind is Kind.BOOLEAN and rule.value is False
        is_negative = opposite is not None or is_false
        comparison = self._compare(column, sql, opposite or rule.operator, rule.value)
        subject = {
            name: "" if value is None else self._add(value)
            for name, value in (("test", rule.test_id), ("antibiotic", rule.antibiotic))
        }
        subject["per_order"] = _PER_ORDER if self.is_per_order else ""
        condition = wrap.format(condition=comparison, **subject)
        if not is_negative:
            return condition
        negation = f"({condition}) IS NOT TRUE"
        if not column.needs_test and not column.needs_antibiotic:
            return negation
        # The order must have such a result, and none may match; a panel has the results of its
        # members. Text is neither equal nor unequal to a number.
        has_value = f"{sql} IS NOT NULL" if column.kind is Kind.NUMBER else "true"
        return f"{wrap.format(condition=has_value, **subject)} AND {negation}"

    def _compare(self, column: SearchColumn, sql: str, operator: Operator, value: Any) -> str:
        """Return a comparison by one of the operators that are not negative."""
        if column.kind is Kind.BOOLEAN:
            return sql
        if column.kind is Kind.TEXT:
            return self._compare_text(sql, operator, value)
        if operator is Operator.NOT_EMPTY:
            return f"{sql} IS NOT NULL"
        if operator is Operator.IN:
            return self._compare_members(column, sql, value)
        return self._compare_ordered(column, sql, operator, value)

    def _compare_ordered(
        self, column: SearchColumn, sql: str, operator: Operator, value: Any
    ) -> str:
        if operator is Operator.IN_LAST_DAYS:
            operator, value = Operator.BETWEEN, _get_last_days(value, self.today)
        if column.kind is Kind.MOMENT:
            return self._compare_moment(sql, operator, value)
        if column.needs_test:
            return self._compare_result(operator, value)
        cast = "date" if column.kind is Kind.DATE else "numeric"
        if operator is Operator.BETWEEN:
            first, last = (self._add(bound) for bound in value)
            return f"{sql} BETWEEN {first}::{cast} AND {last}::{cast}"
        return f"{sql} {operator} {self._add(value)}::{cast}"

    def _compare_text(self, sql: str, operator: Operator, value: str) -> str:
        if operator is Operator.NOT_EMPTY:
            return f"{sql} <> ''"
        if operator is Operator.CONTAINS:
            return f"{sql} LIKE {self._add(build_like_pattern(value))}"
        if operator is Operator.BEGINS_WITH:
            return f"starts_with({sql}, {self._add(value)})"
        return f"{sql} = {self._add(value)}"

    def _compare_members(self, column: SearchColumn, sql: str, members: tuple[Any, ...]) -> str:
        if column.kind is Kind.REFERENCE:
            ids = self._add(list(members))
            # Without an expression, ``wrap`` compares the array itself.
            return f"{sql} = ANY({ids}::bigint[])" if sql else f"{ids}::bigint[]"
        stored_values = [value for member in members for value in column.choices[member]]
        cast = "text" if isinstance(stored_values[0], str) else "smallint"
        return f"{sql} = ANY({self._add(stored_values)}::{cast}[])"

    def _compare_moment(self, sql: str, operator: Operator, value: Any) -> str:
        """Compare by day; the bounds are timestamps, so that indexes serve (``parsing``)."""
        if operator is Operator.EQUAL:
            key = self._add(value, is_named=True)
            return build_day_condition(sql, key)
        if operator is Operator.BETWEEN:
            first, last = (self._add(day) for day in value)
            return f"{sql} >= {first}::date::timestamp AND {sql} < ({last}::date + 1)::timestamp"
        day = self._add(value)
        if operator in (Operator.LESS, Operator.GREATER_OR_EQUAL):
            return f"{sql} {operator} {day}::date::timestamp"
        sign = "<" if operator is Operator.LESS_OR_EQUAL else ">="
        return f"{sql} {sign} ({day}::date + 1)::timestamp"

    def _compare_result(self, operator: Operator, value: Any) -> str:
        """Compare a result that may have a sign: it matches if every value it can mean does.

        '<5' is less than 6, and may or may not be less than 4.
        """
        is_plain = "(r.sign IS NULL OR r.sign = '')"
        if operator is Operator.BETWEEN:
            first, last = (self._add(bound) for bound in value)
            return f"{is_plain} AND r.number BETWEEN {first}::numeric AND {last}::numeric"
        number = f"{self._add(value)}::numeric"
        condition = f"{is_plain} AND r.number {operator} {number}"
        if operator is Operator.EQUAL:
            return condition
        sign = operator[0]  # '<' of both '<' and '<='
        strict = f"r.sign = '{sign}' AND r.number {sign}= {number}"
        inclusive = f"r.sign = '{sign}=' AND r.number {operator} {number}"
        return f"({condition}) OR ({strict}) OR ({inclusive})"

    def _add(self, value: Any, *, is_named: bool = False) -> str:
        """Add a value, and return its placeholder, or only its name if ``is_named``."""
        name = f"q{len(self.values)}"
        self.values[name] = value
        return name if is_named else f"%({name})s"


def _get_plain_sql(column: SearchColumn) -> str:
    """Return the SQL that conditions compare in the column's ``unscoped_wrap`` query."""
    return "p.code" if column.name == "patientCode" else column.sql


def _get_last_days(count: int, today: date) -> tuple[date, date]:
    """Return the first and the last of the ``count`` days that end today."""
    return today - timedelta(days=count - 1), today


def add_conditions(
    query: ListQuery,
    spec: ListSpec,
    group: Group,
    columns: Mapping[str, SearchColumn],
    *,
    kind: ScopeKind,
    today: date,
    is_counted: bool = True,
) -> None:
    """Add the conditions of a search to the query of its list.

    The members of a group that all rows must match are added one by one, so that the list can
    choose its strategy and indexes by them (ADR 20): days become its window, and an index finds
    letters.

    Args:
        is_counted: the rows are also counted. The list then treats a condition with a subquery as
            one that an index answers: it finds all matching rows once, for count and page. If only
            a page is read, that would be wasted work.
    """
    if group.is_any or group.is_negated:
        required_conditions: tuple[Rule | Group, ...] = (group,) if group.members else ()
    else:
        required_conditions = group.members
    required_conditions += _take_days(query, spec)
    required_conditions = _add_window(query, spec, required_conditions, today)
    days = count_days(spec.window, query)
    # An export would collect the rows of all orders once for each of its batches.
    is_per_order = (
        not is_counted or not is_unscoped(kind) or (days is not None and days <= _LOOKUP_DAYS_MAX)
    )
    builder = _Builder(columns, kind, today, is_per_order)
    for i, node in enumerate(required_conditions):
        if isinstance(node, Rule) and _is_indexed(columns[node.name], node, kind):
            column = columns[node.name].indexed_column
            assert column is not None
            condition, values = build_letters_condition(column, f"letters{i}", node.value)
            query.columns.append((column, condition, values))
            continue
        sql = builder.build(node)
        if is_counted and "SELECT" in sql:
            query.columns.append((_SUBQUERY, Condition(sql, indexed_sql=sql), builder.values))
        else:
            name = _name_condition(node)
            query.filters.append((Filter(name, _parse_nothing, sql), builder.values))


def _parse_nothing(_values: list[str]) -> None:
    """Return None, because the conditions of a search are parsed as a tree."""


def _take_days(query: ListQuery, spec: ListSpec) -> tuple[Rule, ...]:
    """Remove the days of the list's own filters from the query, and return them as conditions."""
    assert spec.window is not None
    operators = {
        spec.window.first: Operator.GREATER_OR_EQUAL,
        spec.window.last: Operator.LESS_OR_EQUAL,
    }
    day_rules = tuple(
        Rule(WINDOW_COLUMN, operators[list_filter.name], values[f"f_{list_filter.name}"])
        for list_filter, values in query.filters
        if list_filter.name in operators
    )
    query.filters = [pair for pair in query.filters if pair[0].name not in operators]
    return day_rules


def _add_window(
    query: ListQuery, spec: ListSpec, required_conditions: tuple[Rule | Group, ...], today: date
) -> tuple[Rule | Group, ...]:
    """Add the days that all rows must match, if both ends are known; return the other nodes."""
    window = spec.window
    assert window is not None
    day_rules = [
        node
        for node in required_conditions
        if isinstance(node, Rule)
        and node.name == WINDOW_COLUMN
        and node.operator in _PERIOD_OPERATORS
    ]
    try:
        bounds = [_get_bounds(rule, today) for rule in day_rules]
    except OverflowError:  # a day at the end of the calendar
        return required_conditions
    firsts = [first for first, _ in bounds if first is not None]
    lasts = [last for _, last in bounds if last is not None]
    if not firsts or not lasts or min(lasts) < max(firsts):
        return required_conditions
    for name, day in ((window.first, max(firsts)), (window.last, min(lasts))):
        list_filter = spec.find_filter(name)
        assert list_filter is not None
        query.filters.append((list_filter, {f"f_{name}": day}))
    return tuple(node for node in required_conditions if node not in day_rules)


def _get_bounds(rule: Rule, today: date) -> tuple[date | None, date | None]:
    """Return the first and the last day that a rule on days allows."""
    value = rule.value
    if rule.operator is Operator.IN_LAST_DAYS:
        return _get_last_days(value, today)
    if rule.operator is Operator.BETWEEN:
        return value[0], value[1]
    if rule.operator is Operator.EQUAL:
        return value, value
    if rule.operator is Operator.LESS:
        return None, value - _DAY
    if rule.operator is Operator.GREATER:
        return value + _DAY, None
    return (None, value) if rule.operator is Operator.LESS_OR_EQUAL else (value, None)


def _is_indexed(column: SearchColumn, rule: Rule, kind: ScopeKind) -> bool:
    return (
        column.indexed_column is not None
        and is_unscoped(kind)
        and rule.operator is Operator.CONTAINS
        and len(rule.value) >= CONTAINS_MIN_LETTERS
    )


def _name_condition(node: Rule | Group) -> str:
    """Return the name by which the list's strategy knows a condition that an index answers."""
    if isinstance(node, Rule) and node.operator in (Operator.EQUAL, Operator.IN):
        return node.name
    return _OTHER
