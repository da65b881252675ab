"""Adds the error statuses of each operation to the OpenAPI document.

Most follow from the route itself: its policy, parameters, body, quota, and transaction. Errors that
only the service knows are declared beside the policy: ``@allow(..., errors=(Conflict,))``.
"""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from starlette.routing import BaseRoute

from app.server.access.policy import ALL_ROLES, BODY
from app.server.access.routing import READ_METHODS, PortalRoute

_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "code", "detail", "errors"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "message"],
                "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
            },
        },
        "updatedBy": {"type": "string"},
    },
}
_FRAMEWORK_STATUS = "422"
"""FastAPI's status for invalid requests, to which the portal answers 400."""
_FRAMEWORK_SCHEMAS = ("HTTPValidationError", "ValidationError")


def document_errors(document: dict[str, Any], routes: Iterable[BaseRoute]) -> None:
    """Add the errors of every operation to an OpenAPI document."""
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas["Problem"] = _PROBLEM
    for name in _FRAMEWORK_SCHEMAS:
        schemas.pop(name, None)
    responses = components.setdefault("responses", {})
    for route in routes:
        if not isinstance(route, PortalRoute) or not route.include_in_schema:
            continue
        for method in route.methods or ():
            operation = document["paths"][route.path_format][method.lower()]
            operation["responses"].pop(_FRAMEWORK_STATUS, None)
            for status in sorted(find_error_statuses(route, method)):
                responses.setdefault(f"Problem{status}", _build_response(status))
                operation["responses"][str(status)] = {
                    "$ref": f"#/components/responses/Problem{status}"
                }


def find_error_statuses(route: PortalRoute, method: str) -> set[int]:
    """Find the statuses from 400 up that a route can answer with, except faults (500)."""
    policy = route.policy
    is_read = method in READ_METHODS
    statuses = {error.status for error in policy.errors}
    if policy.roles is not None:
        statuses.add(401)
        if policy.roles != ALL_ROLES or policy.fresh_sign_in or not policy.before_second_factor:
            statuses.add(403)
    if route.is_in_api:
        statuses |= {400, 503}
    if set(route.param_convertors) - {"zip_code"}:  # a ZIP code is not the id of a record
        statuses.add(404)
    if not is_read:
        statuses.add(413)
    if not is_read and policy.transaction and not policy.repeatable:
        statuses.add(409)  # an idempotency key of another request
    if route.quota is not None or (not is_read and policy.body.bytes > BODY.bytes):
        statuses.add(429)
    return statuses


def _build_response(status: int) -> dict[str, Any]:
    return {
        "description": HTTPStatus(status).phrase,
        "content": {
            "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
        },
    }
