"""Compares the advanced search with its bare statement, for each kind of scope."""

import asyncio
import json
import shutil
import tempfile
from collections.abc import Callable
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote

from app.contract.enumerations import Role, ScopeKind
from app.server.actor import Actor
from app.server.database.embedded import EmbeddedPostgres
from app.server.order_search.schemas import OrderSearchRequest
from app.server.order_search.service.search import prepare_search
from app.server.schema.migrate import migrate_database
from tests.bench.rows import fill_orders, fill_results, insert_rows
from tests.bench.servers import (
    Page,
    build_bare_page,
    create_people,
    measure_page,
    run_bare,
    run_portal,
    sign_in,
)

PEOPLE = {
    "Laboratory": ("Laboratory", ScopeKind.STAFF, []),
    "Client": ("Client Basic", ScopeKind.CLIENT, [3, 50, 120]),
    "Physician": ("Physician", ScopeKind.PHYSICIAN, [7]),
}


def _build_condition(field: str, operator: str, value: Any, **other: Any) -> dict[str, Any]:
    return {"field": field, "operator": operator, "value": value, **other}


def _build_group(*rules: dict[str, Any], by: str = "and") -> dict[str, Any]:
    return {"combinator": by, "rules": list(rules)}


_MONTH = _build_condition("collectionDate", "between", ["2027-06-01", "2027-06-30"])
_YEAR = _build_condition("collectionDate", "between", ["2026-01-01", "2026-12-31"])
_WEEK = _build_condition("collectionDate", "between", ["2027-06-01", "2027-06-07"])
_HIGH = _build_condition("resultNumber", ">", 90, test=12)
SEARCHES = {
    "default": _build_group(_MONTH),
    "four conditions, a month": _build_group(
        _MONTH,
        _build_condition("status", "in", ["FINAL"]),
        _build_condition("lastName", "beginsWith", "A"),
        _HIGH,
    ),
    "part of a name, a year": _build_group(
        _YEAR,
        _build_condition("lastName", "contains", "abc"),
        _build_condition("gender", "in", ["FEMALE"]),
        _build_condition("age", ">", 40),
    ),
    "nested groups, a week": _build_group(
        _WEEK,
        _build_group(_HIGH, _build_condition("hasCritical", "=", True), by="or"),
        _build_group(
            _build_condition("status", "in", ["CANCELED"]),
            _build_condition("room", "=", "101"),
            by="or",
        )
        | {"not": True},
        _build_condition("signed", "=", False),
    ),
}


def measure_searches(total: int, requests: int, report: Callable[[str], None]) -> list[Page]:
    """Measure every search of every person among ``total`` orders."""
    folder = Path(tempfile.mkdtemp(prefix="portal-bench-"))
    folder.chmod(0o755)
    cluster = EmbeddedPostgres(folder, "owner-of-the-bench")
    cluster.start()
    pages: list[Page] = []
    try:
        report(f"Making {total:,} orders with results")
        owner = cluster.url
        app_url = migrate_database(owner, "application-of-the-bench")
        insert_rows(owner, total)
        fill_orders(owner, total)
        fill_results(owner, total)
        create_people(owner, PEOPLE)
        with run_portal(app_url, folder / "data") as port:
            for (person, (role, kind, ids)), (name, query) in product(
                PEOPLE.items(), SEARCHES.items()
            ):
                path = f"/api/v2/orders/advanced-search?query={quote(json.dumps(query))}"
                ours = (port, path, sign_in(port, person))
                report(f"{person}, {name}")
                actor = Actor(kind, ids=tuple(ids), role=Role(role))
                spec, list_query = prepare_search(
                    actor, OrderSearchRequest(query=query), date(2027, 6, 30)
                )
                arguments = build_bare_page(app_url, spec, actor, list_query, ours)
                with run_bare(arguments) as bare_port:
                    page = asyncio.run(measure_page(total, person, name, ours, bare_port, requests))
                report(f"  {page.ours.p50:.0f} ms, ratio {page.ratio:.2f}")
                pages.append(page)
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return pages
