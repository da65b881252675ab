"""Structured logs on standard error, one JSON object per line."""

import json
import logging
import re
import sys
import threading
from collections.abc import MutableMapping
from datetime import UTC, datetime
from typing import Any

import msgspec
import structlog

from app.server.request_ids import get_request_id

_PLACES_MAX = 20
_MESSAGE_END = re.compile(r"[(<\r\n]|: ")
"""Where a library's message may begin to quote values, and with them data of patients."""
_log = structlog.get_logger("portal")


def configure_logs(level: str) -> None:
    """Configure logging of the portal and its libraries, once per process."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _add_request_id,
            _encode_event,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.captureWarnings(True)
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda args: _log_uncaught(
        args.exc_type, args.exc_value, args.exc_traceback
    )


class JsonFormatter(logging.Formatter):
    """Formats the records of libraries like the portal's own lines.

    Messages of libraries may end with the text of an error, which may contain a row: 'error
    connecting in pool: ...', 'Task exception was never retrieved <Task exception=...>'. So only the
    words before any value are logged, and of an error only its type and places in the code.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return one line of JSON."""
        event: dict[str, Any] = {
            "event": _MESSAGE_END.split(_format_message(record), maxsplit=1)[0].strip(),
            "logger": record.name,
            "level": record.levelname.lower(),
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(),
        }
        error = record.exc_info[1] if record.exc_info else _find_error(record)
        if error is not None:
            event |= {**describe_error(error), "trace": list_places(error)}
        return _encode_event(None, "", _add_request_id(None, "", event)).decode()


def _format_message(record: logging.LogRecord) -> str:
    """Return the message, or its template if its values do not fit it."""
    try:
        return record.getMessage()
    except (TypeError, ValueError):
        return str(record.msg)


def _find_error(record: logging.LogRecord) -> BaseException | None:
    """Return the first error among the values of a message."""
    values = record.args if isinstance(record.args, tuple) else ()
    return next((value for value in values if isinstance(value, BaseException)), None)


def _log_uncaught(kind: type[BaseException], error: BaseException | None, _trace: object) -> None:
    """Log an error that ends a process or thread."""
    if issubclass(kind, KeyboardInterrupt):
        return
    if error is None:
        _log.error("uncaught error", kind=kind.__name__)
    else:
        _log.error("uncaught error", **describe_error(error), trace=list_places(error))


def _add_request_id(_logger: object, _method: str, event: MutableMapping[str, Any]) -> Any:
    if request_id := get_request_id():
        event.setdefault("request_id", request_id)
    return event


def _describe_value(value: Any) -> str:
    """Return the text of a value that JSON does not have."""
    return str(value) if isinstance(value, str) else repr(value)


_ENCODER = msgspec.json.Encoder(enc_hook=_describe_value)


def _encode_event(_logger: object, _method: str, event: Any) -> bytes:
    # structlog's renderer would create an encoder for each line, and so for each request.
    line = _ENCODER.encode(event)
    # Some readers of logs begin a new line at characters such as U+2028.
    return line if line.isascii() else json.dumps(msgspec.json.decode(line)).encode()


def describe_error(error: BaseException) -> dict[str, str]:
    """Describe an error by type and place; its text and trace may contain patient data."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
    return {"kind": type(error).__name__, "where": where}


def list_places(error: BaseException) -> list[str]:
    """List where an error passed through the code; only the innermost places if there are many."""
    places, trace = [], error.__traceback__
    while trace:
        places.append(f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}")
        trace = trace.tb_next
    return places[-_PLACES_MAX:]
