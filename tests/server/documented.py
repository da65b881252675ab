"""Compares answers with the OpenAPI document, which must list each status of an operation."""

from typing import Any

import httpx
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import Match

from app.basics.paths import is_possible_path
from app.server.access.document import document_errors
from app.server.route_index import RouteIndex

_FAULT = 500
"""The lowest status that need not be documented: tests cause faults and overload on purpose."""


class AnswerCheck:
    """The document of an application, and a check of its answers."""

    def __init__(self, app: FastAPI) -> None:
        self.document: dict[str, Any] = app.openapi()
        document_errors(self.document, app.routes)
        self._routes = [
            route for route in app.routes if isinstance(route, APIRoute) and route.include_in_schema
        ]
        self._index = RouteIndex(self._routes)

    async def check(self, answer: httpx.Response) -> None:
        """Raise AssertionError if an answer other than a fault is not documented."""
        if answer.status_code < _FAULT:
            problem = self.find_problem(answer)
            assert problem is None, problem

    def find_problem(self, answer: httpx.Response) -> str | None:
        """Return a sentence if the answer's operation does not document its status."""
        request = answer.request
        if not is_possible_path(request.url.raw_path):
            return None  # The portal answers such a request before an operation gets it.
        route = self._find_route(request.method, request.url.path)
        if route is None:
            return None
        operation = self.document["paths"][route.path_format][request.method.lower()]
        if str(answer.status_code) in operation["responses"]:
            return None
        return (
            f"{request.method} {route.path_format} answers {answer.status_code} and does not "
            "document it: add the error to its policy"
        )

    def _find_route(self, method: str, path: str) -> APIRoute | None:
        scope = {"type": "http", "method": method, "path": path}
        match, child_scope = self._index.matches(scope)
        if match is Match.FULL:
            return child_scope["route"]
        return next(
            (route for route in self._routes if route.matches(scope)[0] is Match.FULL), None
        )
