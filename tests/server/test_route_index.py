"""The index finds the same route as a search through all routes in order."""

import re

from fastapi import FastAPI
from starlette.routing import Match

from app.server.route_index import RouteIndex
from tests.server.samples import list_routes


def build_scope(method: str, path: str) -> dict[str, object]:
    """Build the scope of a request."""
    return {"type": "http", "method": method, "path": path, "headers": []}


def find_in_order(app: FastAPI, scope: dict[str, object]) -> object:
    """Find the route as the router would without the index."""
    others = (route for route in app.router.routes if not isinstance(route, RouteIndex))
    matches = ((*route.matches(scope), route) for route in others)
    return next((route for match, _, route in matches if match is Match.FULL), None)


def test_finds_the_same_route_with_the_same_ids(portal_app: FastAPI) -> None:
    index = portal_app.router.routes[0]
    assert isinstance(index, RouteIndex)
    count = 0
    for method, route in list_routes(portal_app):
        scope = build_scope(method, re.sub(r"\{[^/]*\}", "12", route.path))
        match, child_scope = index.matches(scope)
        assert match is Match.FULL, route.path
        assert child_scope["route"] is find_in_order(portal_app, scope), route.path
        assert set(child_scope["path_params"].values()) <= {"12"}
        count += 1
    assert count > 200


def test_leaves_other_paths_to_the_router(portal_app: FastAPI) -> None:
    index = portal_app.router.routes[0]
    for method, path in (
        ("GET", "/api/v2/orders/abc"),
        ("GET", "/api/v2/orders/1.5"),
        ("GET", "/api/v2/orders/12/"),
        ("GET", "/api/v2/nothing/12"),
        ("DELETE", "/api/v2/orders/12"),
        ("GET", "/orders/12"),
    ):
        assert index.matches(build_scope(method, path))[0] is Match.NONE, path
    assert index.matches({"type": "websocket", "path": "/jspm"})[0] is Match.NONE
