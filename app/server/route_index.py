"""Finds the route of a request without trying all others (ADR 42)."""

import re
from collections.abc import Iterable

from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

_DIGITS = re.compile(r"/[0-9]+(?=/|$)")
_PARAMETER = re.compile(r"\{[^/]*\}")


class RouteIndex(BaseRoute):
    """One route in place of all routes whose path is fixed except for numbers.

    The portal has hundreds of routes, and trying them one by one takes longer than most answers.
    Paths that it does not know, such as those with invalid ids, are left to the routes after it.
    """

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        self._routes: dict[tuple[str, str], Route] = {}
        for route in routes:
            if isinstance(route, Route):
                for method in route.methods or ():
                    self._routes.setdefault((method, _PARAMETER.sub("{}", route.path)), route)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return the match of the route with this path and method, or no match."""
        if scope["type"] != "http":
            return Match.NONE, {}
        path = _DIGITS.sub("/{}", scope["path"])
        route = self._routes.get((scope["method"], path))
        if route is None:
            return Match.NONE, {}
        match, child_scope = route.matches(scope)
        return (match, child_scope) if match is Match.FULL else (Match.NONE, {})

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request by the route that matched."""
        await scope["route"].handle(scope, receive, send)
