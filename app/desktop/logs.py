"""The app's log: one JSON object per line, to standard error and to files that rotate.

The app and its sidecar have a file each, because two processes must not rotate one. The log has no
paths of records, no names, and no tokens.
"""

import itertools
import json
import logging
import logging.handlers
import sys
from pathlib import Path
from typing import TextIO

import structlog

from app.desktop.files import get_config_dir, make_private_dir

SIDECAR_LOG = "lab-portal.log"
APP_LOG = "lab-portal-window.log"
_FILE_BYTES = 1_000_000
_FILES = 3


def get_log_dir() -> Path:
    """Return the folder of the log files."""
    return get_config_dir() / "logs"


class _Logger:
    """Writes each line to the log file, and to standard error where there is one."""

    def __init__(self, file: logging.Handler | None, stream: TextIO | None) -> None:
        self._file = file
        self._stream = stream

    def msg(self, line: str) -> None:
        """Write one line."""
        if self._stream is not None:
            self._stream.write(f"{line}\n")
            self._stream.flush()
        if self._file is not None:
            self._file.handle(logging.LogRecord("portal", logging.INFO, "", 0, line, (), None))

    log = debug = info = warning = error = critical = exception = msg


def configure_logs(name: str) -> None:
    """Log to standard error, and to files of this name if the folder can be written."""
    try:
        folder = make_private_dir(get_log_dir())
        file: logging.Handler | None = logging.handlers.RotatingFileHandler(
            folder / name, maxBytes=_FILE_BYTES, backupCount=_FILES, encoding="utf-8"
        )
    except OSError:
        file = None
    # A packaged app on Windows has no console.
    logger = _Logger(file, sys.stderr)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=lambda *_: logger,
        cache_logger_on_first_use=True,
    )


def read_last_lines(count: int) -> list[str]:
    """Return the last lines of the log files of both processes, the oldest first."""
    lines: list[str] = []
    for name, suffix in itertools.product((SIDECAR_LOG, APP_LOG), ("", ".1")):
        try:
            text = (get_log_dir() / f"{name}{suffix}").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        lines += text.splitlines()
    return sorted(lines, key=_get_time)[-count:]


def _get_time(line: str) -> str:
    """Return when a line was written; a damaged line comes first."""
    try:
        return str(json.loads(line)["timestamp"])
    except (ValueError, KeyError, TypeError):
        return ""
