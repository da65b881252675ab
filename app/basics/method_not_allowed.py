"""Answers 405 to methods that a path does not have, for both hosts."""

from collections.abc import Iterable

from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

from app.basics.errors import MethodNotAllowed


class MethodNotAllowedRoute(BaseRoute):
    """The last route of an API: answers 405 to known paths, with the methods that they have.

    Without it, HEAD would reach the user interface, which has a page for every path. Reads have no
    HEAD: it would cost as much as a GET, and the audit log would have a read that showed nothing.
    """

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        self._routes = [route for route in routes if isinstance(route, Route)]
        self._roots = {_find_root(route.path) for route in self._routes}
        self._methods: dict[str, set[str]] = {}
        for route in self._routes:
            self._methods.setdefault(route.path, set()).update(route.methods or ())

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match a path that exists with another method than the request's."""
        if scope["type"] != "http" or _find_root(scope["path"]) not in self._roots:
            return Match.NONE, {}
        for route in self._routes:
            if route.matches(scope)[0] is Match.PARTIAL:
                return Match.FULL, {"allowed_methods": self._methods[route.path]}
        return Match.NONE, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Raise MethodNotAllowed."""
        raise MethodNotAllowed({"Allow": ", ".join(sorted(scope["allowed_methods"]))})


def _find_root(path: str) -> str:
    """Return the first part of a path; only routes with the same one are compared with it."""
    return path.split("/", 2)[1] if path.startswith("/") else ""
