"""How conditions on results are evaluated: for each order, or among all results (ADR 43)."""

from datetime import date
from typing import Any

import pytest

from app.contract.enumerations import Role, ScopeKind
from app.server.actor import Actor
from app.server.order_search.schemas import OrderSearchRequest
from app.server.order_search.service.search import prepare_search

TODAY = date(2027, 6, 30)
STAFF = Actor(ScopeKind.STAFF, role=Role.LABORATORY)
CLIENT = Actor(ScopeKind.CLIENT, ids=(3,), role=Role.CLIENT_BASIC)
QUARTER = ["2027-04-01", "2027-06-30"]
YEAR = ["2026-07-01", "2027-06-30"]
HIGH = {"field": "resultNumber", "operator": ">", "value": 90, "test": 12}
CRITICAL = {"field": "hasCritical", "operator": "=", "value": True}


def build_conditions(actor: Actor, days: list[str] | None, *, is_export: bool = False) -> str:
    """Return the SQL of a search for a result, or a critical one, within these days."""
    either = {"combinator": "or", "rules": [HIGH, CRITICAL]}
    rules: list[dict[str, Any]] = [either]
    if days is not None:
        rules.append({"field": "collectionDate", "operator": "between", "value": days})
    request = OrderSearchRequest(query={"combinator": "and", "rules": rules})
    _, query = prepare_search(actor, request, TODAY, is_export=is_export)
    conditions = [condition.sql for _, condition, _ in query.columns]
    return " ".join([*conditions, *(str(list_filter.sql) for list_filter, _ in query.filters)])


@pytest.mark.parametrize(
    ("actor", "days", "is_export"),
    [
        (STAFF, QUARTER, False),
        (STAFF, YEAR, True),
        (STAFF, None, True),
        (CLIENT, YEAR, False),
        (CLIENT, None, False),
    ],
)
def test_looks_up_the_results_of_each_order(
    actor: Actor, days: list[str] | None, is_export: bool
) -> None:
    sql = build_conditions(actor, days, is_export=is_export)
    # Clinical results, and those of drug tests.
    assert sql.count("OFFSET 0)") == 2


@pytest.mark.parametrize("days", [YEAR, None])
def test_leaves_long_periods_of_all_clients_to_the_database(days: list[str] | None) -> None:
    sql = build_conditions(STAFF, days)
    assert "EXISTS" in sql
    assert "OFFSET" not in sql
