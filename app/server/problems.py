"""Responses for all errors, as RFC 9457 problem JSON without patient data or stack traces."""

from typing import Any

import psycopg
import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic.alias_generators import to_camel
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.exceptions import HTTPException

from app.basics.errors import (
    BadInput,
    Conflict,
    FieldError,
    MethodNotAllowed,
    NotFound,
    PortalError,
    TooLarge,
    Unavailable,
)
from app.contract import messages
from app.server.logs import describe_error

_log = structlog.get_logger("portal.problems")
_MEDIA_TYPE = "application/problem+json"


class InternalError(PortalError):
    """500: a fault in the portal."""

    status, code = 500, "internal_error"


def build_response(error: PortalError) -> Response:
    """Build the response of an error."""
    return JSONResponse(
        error.build_problem(),
        status_code=error.status,
        media_type=_MEDIA_TYPE,
        headers=error.headers,
    )


def install_error_handlers(app: FastAPI) -> None:
    """Register the handlers on the application.

    Unhandled errors reach the middleware, which calls ``build_unexpected_response``.
    """
    app.add_exception_handler(PortalError, _handle_portal_error)
    app.add_exception_handler(RequestValidationError, _handle_validation_error)
    app.add_exception_handler(HTTPException, _handle_http_error)
    app.add_exception_handler(DBAPIError, _handle_database_error)
    app.add_exception_handler(psycopg.Error, _handle_database_error)
    app.add_exception_handler(PoolTimeoutError, _handle_database_error)


async def _handle_portal_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, PortalError)
    return build_response(error)


async def _handle_validation_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    items = error.errors()
    if any(item["type"] == "json_invalid" for item in items):
        return build_response(BadInput(messages.BODY_NOT_JSON))
    errors = tuple(_build_field_error(item) for item in items)
    return build_response(BadInput(messages.VALIDATION_ERROR, errors=errors))


def _build_field_error(item: dict[str, Any]) -> FieldError:
    # The location begins with 'body', 'query' or 'path'. The value itself is never repeated.
    location, *parts = item["loc"]
    if location in ("path", "query"):
        # Parameters have no alias, so their names are in snake case.
        parts = [to_camel(part) if isinstance(part, str) else part for part in parts]
    name = ".".join(str(part) for part in parts) or str(location)
    if item["type"] == "missing":
        return FieldError(name, messages.VALUE_REQUIRED)
    if item["type"] == "too_long":
        return FieldError(name, messages.TOO_MANY_ROWS.format(max=item["ctx"]["max_length"]))
    if item["type"] == "string_too_long":
        return FieldError(name, messages.VALUE_TOO_LONG.format(max=item["ctx"]["max_length"]))
    return FieldError(name, messages.VALUE_INVALID)


async def _handle_http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return build_response(NotFound(messages.NOT_FOUND))
    if error.status_code == 405:
        return build_response(MethodNotAllowed(error.headers))
    if error.status_code == 413:
        return build_response(TooLarge(messages.BODY_TOO_LARGE))
    return build_response(BadInput(messages.BODY_NOT_JSON))


async def _handle_database_error(request: Request, error: Exception) -> Response:
    return build_unexpected_response(error, getattr(request.state, "request_id", ""))


def build_unexpected_response(error: Exception, request_id: str) -> Response:
    """Build the response of an error without a handler."""
    return build_response(convert_error(error, request_id))


def convert_error(error: Exception, request_id: str = "") -> PortalError:
    """Convert any error to a PortalError; faults are logged by their type and place."""
    match error:
        case PortalError():
            return error
        case IntegrityError() | psycopg.IntegrityError():
            return Conflict(messages.CONFLICT)
        case DataError() | psycopg.DataError():
            # A value that no column can hold.
            return BadInput(messages.VALIDATION_ERROR)
        case OperationalError() | InterfaceError() | psycopg.OperationalError():
            _log.warning("database unavailable", kind=type(error).__name__)
            return Unavailable(messages.UNAVAILABLE)
        case PoolTimeoutError():
            return Unavailable(messages.UNAVAILABLE)
    _log.error("unexpected error", **describe_error(error), request_id=request_id)
    return InternalError(messages.INTERNAL_ERROR)
