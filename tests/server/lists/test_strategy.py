"""How the rows of a page are selected (ADR 20)."""

import re

import pytest
from sqlalchemy import Index

from app.contract.enumerations import ScopeKind
from app.server.lists.parsing import parse_query
from app.server.lists.spec import ListSpec
from app.server.lists.strategy import Strategy, choose_strategy
from app.server.order_search.lists import build_list
from app.server.orders.lists import orders
from app.server.schema.tables import metadata
from app.server.slices import SLICES

SPECS = [spec for slice_ in SLICES for spec in slice_.specs if spec.window and spec.window.day]
_YEAR = (("startDate", "2026-01-01"), ("endDate", "2026-12-31"))


def normalize_condition(sql: str) -> str:
    """Return a condition without aliases, spaces, and parentheses."""
    return re.sub(r"\bt\.|[\s()]", "", sql)


def list_flags_with_day_index(spec: ListSpec) -> list[str]:
    """List the filters whose condition is that of an index of the days."""
    assert spec.window is not None
    day = spec.window.day.removeprefix("t.")
    conditions = {
        normalize_condition(str(index.dialect_options["postgresql"]["where"]))
        for index in metadata.tables[spec.table].indexes
        if is_index_of_days(index, day)
    }
    return [
        filter_.name
        for filter_ in spec.filters
        if isinstance(filter_.sql, str) and normalize_condition(filter_.sql) in conditions
    ]


def is_index_of_days(index: Index, day: str) -> bool:
    """Whether a partial index has the rows of each day in order."""
    is_partial = index.dialect_options["postgresql"]["where"] is not None
    return is_partial and str(next(iter(index.expressions))).endswith(day)


def test_knows_every_flag_that_has_an_index() -> None:
    assert set(list_flags_with_day_index(orders)) == {
        "criticalResults",
        "alertResults",
        "missingInfo",
        "awaitsCollection",
        "unread",
        "unreadByPhysician",
    }


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_flags_of_a_year_are_read_from_their_index(spec: ListSpec) -> None:
    # A walk by ids would pass all rows after the year if one order of the year was entered late.
    for name in list_flags_with_day_index(spec):
        query = parse_query(spec, [*_YEAR, (name, "true")])
        assert choose_strategy(spec, ScopeKind.STAFF, query) is Strategy.DAYS, name


def test_advanced_search_reads_the_same_flags_from_their_index() -> None:
    window = build_list(frozenset(), frozenset()).window
    assert window is not None
    names = {"criticalResults": "hasCritical", "alertResults": "hasAlert"}
    flags = {names.get(name, name) for name in list_flags_with_day_index(orders)}
    assert flags <= window.covered_filters
