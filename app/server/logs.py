"""Structured logs on standard error, one JSON object per line."""

import json
import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from app.server.request_ids import get_request_id

_ENCODER = json.JSONEncoder(default=repr)


def configure_logs(level: str) -> None:
    """Configure logging of the portal and its libraries, once per process."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _add_request_id,
            _render_json,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(name)s: %(message)s")


def _add_request_id(_logger: object, _method: str, event: MutableMapping[str, Any]) -> Any:
    if request_id := get_request_id():
        event.setdefault("request_id", request_id)
    return event


def _render_json(_logger: object, _method: str, event: Any) -> str:
    # structlog's renderer would create an encoder for each line, and so for each request.
    return _ENCODER.encode(event)


def describe_error(error: BaseException) -> dict[str, str]:
    """Describe an error by type and place; its text and trace may contain patient data."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
    return {"kind": type(error).__name__, "where": where}
