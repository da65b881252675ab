"""Every failure as RFC 9457 problem JSON; nothing personal and no stack trace leaves the house."""

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
    NotFound,
    PortalError,
    TooLarge,
    Unavailable,
)
from app.contract import messages
from app.server.logs import kind_and_place

_log = structlog.get_logger("portal.problems")
_MEDIA_TYPE = "application/problem+json"


class InternalError(PortalError):
    """500: a fault of ours."""

    status, code = 500, "internal_error"


class MethodNotAllowed(PortalError):
    """405: the path exists, not with this method."""

    status, code = 405, "method_not_allowed"


def response_of(error: PortalError) -> Response:
    """The problem document of an error."""
    return JSONResponse(
        error.problem(), status_code=error.status, media_type=_MEDIA_TYPE, headers=error.headers
    )


def install(app: FastAPI) -> None:
    """Register the handlers on the application. What none of them knows ends in ``unexpected``,
    which the middleware around every request calls."""
    app.add_exception_handler(PortalError, _portal_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(DBAPIError, _database_error)
    app.add_exception_handler(psycopg.Error, _database_error)
    app.add_exception_handler(PoolTimeoutError, _database_error)


async def _portal_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, PortalError)
    return response_of(error)


async def _validation_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    if any(item["type"] == "json_invalid" for item in found):
        return response_of(BadInput(messages.BODY_NOT_JSON))
    return response_of(
        BadInput(messages.VALIDATION_ERROR, errors=tuple(_field_error(item) for item in found))
    )


def _field_error(item: dict[str, Any]) -> FieldError:
    # The first part says where ('body', 'query'); the value itself is never repeated.
    where, *parts = item["loc"]
    if where in ("path", "query"):
        # Parameters have no alias: their names are those of the house.
        parts = [to_camel(part) if isinstance(part, str) else part for part in parts]
    name = ".".join(str(part) for part in parts) or str(where)
    if item["type"] == "missing":
        return FieldError(name, messages.VALUE_REQUIRED)
    if item["type"] == "too_long":
        return FieldError(name, messages.TOO_MANY_ROWS.format(max=item["ctx"]["max_length"]))
    if item["type"] == "string_too_long":
        return FieldError(name, messages.VALUE_TOO_LONG.format(max=item["ctx"]["max_length"]))
    return FieldError(name, messages.VALUE_INVALID)


async def _http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return response_of(NotFound(messages.NOT_FOUND))
    if error.status_code == 405:
        return response_of(MethodNotAllowed("Method not allowed"))
    if error.status_code == 413:
        return response_of(TooLarge(messages.BODY_TOO_LARGE))
    problem = BadInput(messages.BODY_NOT_JSON)
    return response_of(problem)


async def _database_error(request: Request, error: Exception) -> Response:
    return response_of(problem_of(error, getattr(request.state, "request_id", "")))


def unexpected(error: Exception, request_id: str) -> Response:
    """The answer to what no handler knows."""
    return response_of(problem_of(error, request_id))


def problem_of(error: Exception, request_id: str = "") -> PortalError:
    """What is told about an error. A fault of ours is logged by its kind and place alone."""
    match error:
        case PortalError():
            return error
        case IntegrityError() | psycopg.IntegrityError():
            return Conflict(messages.CONFLICT)
        case DataError() | psycopg.DataError():
            # A number beyond what a column can hold names no record and is no value of ours.
            return BadInput(messages.VALIDATION_ERROR)
        case OperationalError() | InterfaceError() | psycopg.OperationalError():
            _log.warning("database unavailable", kind=type(error).__name__)
            return Unavailable(messages.UNAVAILABLE)
        case PoolTimeoutError():
            return Unavailable(messages.UNAVAILABLE)
    _log.error("unexpected error", **kind_and_place(error), request_id=request_id)
    return InternalError(messages.INTERNAL_ERROR)
