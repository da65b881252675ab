"""Structured logs: one JSON object a line on standard error."""

import json
import logging
import sys
from typing import Any

import structlog

_ENCODER = json.JSONEncoder(default=repr)


def configure(level: str) -> None:
    """Set up logging once, for the portal and for the libraries below it."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _as_json,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(name)s: %(message)s")


def _as_json(_logger: object, _method: str, event: Any) -> str:
    # structlog's own renderer makes an encoder for every line, and every request is a line.
    return _ENCODER.encode(event)


def kind_and_place(error: BaseException) -> dict[str, str]:
    """What of an error is logged; neither its text nor its trace, for both may hold a row."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
    return {"kind": type(error).__name__, "where": where}
