"""Every filter, column, and sort key that a list declares, over HTTP."""

from datetime import date
from typing import get_args

import httpx
import pytest
from fastapi import FastAPI

from app.contract.enumerations import Role
from app.server.lists.document import get_page_model
from app.server.lists.spec import Filter, ListSpec
from app.server.slices import SLICES
from tests.server.samples import Realm, build_path, build_realm, list_routes
from tests.server.world import World

SPECS = [spec for slice_ in SLICES for spec in slice_.specs]
ROLES = frozenset({Role.SUPERUSER, Role.CLIENT_BASIC, Role.PHYSICIAN, Role.PATIENT})
"""A role of each kind of scope."""
_TESTS = "/api/v2/tests/remote-operations?clientId={client_id}"
VARIANTS = {
    "payers-of-bill-type": "/api/v2/billing-information/payers/remote-operations/1",
    "tests-of-clients": f"{_TESTS}&allTests=true",
    "tests-on-lists": _TESTS,
    "physicians-by-name": "/api/v2/physicians/by-name",
}
"""Lists that share a route with another list, and arrays without a page around them."""
ARRAYS = frozenset({"physicians-by-name"})
"""Lists whose route takes their filters only."""
_DAY = "2026-03-01"
_TEXTS = ("ab", "abc")
_SPECIAL = {
    "role": ("Client Basic", "Patient"),
    "signature": ("signed", "notSigned"),
    "ssn": ("666-12-3456",),
    "user": ("00000000-0000-4000-8000-000000000009",),
    "group": ("viewed", "signIn"),
    "outcome": ("done", "denied"),
}
"""Samples of filters whose type does not show what they accept."""
_OF_KIND = {
    "text": _TEXTS,
    "date": (_DAY,),
    "moment": (_DAY,),
    "number": ("1",),
    "boolean": ("true", "false"),
}


def list_samples(filter_: Filter) -> tuple[str, ...]:
    """Return sample values of a filter."""
    if filter_.name in _SPECIAL:
        return _SPECIAL[filter_.name]
    if filter_.value_type is date:
        return (_DAY,)
    if filter_.value_type is bool:
        return ("true", "false")
    return ("1",) if int in get_args(filter_.value_type) else _TEXTS


def list_queries(spec: ListSpec) -> list[dict[str, str]]:
    """Return queries that each use one parameter, alone and with days of the list's window."""
    queries = [{f.name: text} for f in spec.filters for text in list_samples(f)]
    if spec.name in ARRAYS:
        return queries
    for column in spec.columns:
        if column.kind is not None:
            queries += [{f"column.{column.name}": text} for text in _OF_KIND[column.kind]]
        if column.sort != "no":
            queries += [{"sort": column.name}, {"sort": f"-{column.name}"}]
    if spec.window is None:
        return queries
    periods = [{spec.window.first: _DAY, spec.window.last: last} for last in (_DAY, "2027-02-28")]
    return queries + [period | query for query in queries for period in periods]


def list_paths(app: FastAPI, spec: ListSpec, home: Realm) -> list[tuple[str, frozenset[Role]]]:
    """Return the paths that answer rows of the list, with the roles that may request them."""
    if spec.name in VARIANTS:
        return [(VARIANTS[spec.name].format_map(home.ids), ROLES)]
    model = get_page_model(spec)
    return [
        (build_path("GET", route, home.ids), route.policy.roles)
        for method, route in list_routes(app)
        if method == "GET" and route.responses.get(200, {}).get("model") is model
    ]


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
async def test_answers_every_declared_parameter(
    world: World, portal_app: FastAPI, spec: ListSpec
) -> None:
    home = await build_realm(world)
    paths = list_paths(portal_app, spec, home)
    assert paths, "no route answers this list"
    failures = []
    for path, roles in paths:
        for role in sorted(roles & ROLES):
            headers = home.people[role].headers
            for query in list_queries(spec):
                url = httpx.URL(path).copy_merge_params(query)
                answer = await world.http.get(url, headers=headers)
                if answer.status_code != 200:
                    failures.append((role.name, str(url), answer.text))
    assert failures == []
