"""Small files in the user's folders: their location, and safe writing."""

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Self, TypeVar

import structlog

from app.basics.errors import Conflict
from app.contract import messages

_APPLICATION = "lab-portal"
_OVERRIDE = "PORTAL_DESKTOP_DIR"
_log = structlog.get_logger("portal.desktop")
Record = TypeVar("Record")


def get_config_dir() -> Path:
    """Return the folder of the user's settings; ``PORTAL_DESKTOP_DIR`` overrides it."""
    override = os.environ.get(_OVERRIDE)
    if override:
        return Path(override)
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return base / _APPLICATION


def make_private_dir(folder: Path) -> Path:
    """Return ``folder`` after creating it if missing, readable by its owner only."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if os.name == "posix":
        folder.chmod(0o700)
    return folder


def write_atomically(path: Path, content: bytes) -> None:
    """Replace the file atomically: after a crash it has the old content or the new."""
    make_private_dir(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def explain_failed_write(path: Path) -> Iterator[None]:
    """Raise ``Conflict`` with the reason if the file cannot be written, as on a full disk."""
    try:
        yield
    except OSError as error:
        text = messages.SETTINGS_FILE_NOT_WRITTEN.format(file=path, reason=error.strerror)
        raise Conflict(text) from error


class JsonFile:
    """One JSON object on disk.

    An unreadable file is renamed to ``.broken`` and read as empty: the workstation still starts,
    and no settings are lost. Partial files of a killed process are removed on construction.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if path.parent.is_dir():
            for part in path.parent.glob(f".{path.name}.*.part"):
                with contextlib.suppress(OSError):
                    part.unlink()

    def read(self) -> dict[str, object]:
        """Return the object; empty if the file does not exist yet."""
        try:
            content = json.loads(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except (ValueError, RecursionError, OSError):
            content = None
        if isinstance(content, dict):
            return content
        with contextlib.suppress(OSError):
            self.path.replace(self.path.with_suffix(".broken"))
        return {}

    def read_records(self, parse: Callable[[object], Record]) -> dict[str, Record]:
        """Return the records of the object for which ``parse`` does not raise ``ValueError``.

        The file is copied to ``.broken`` if it has others, because the next write omits them.
        """
        content = self.read()
        records: dict[str, Record] = {}
        for key, value in content.items():
            with contextlib.suppress(ValueError):
                records[key] = parse(value)
        if len(records) < len(content):
            _log.warning("records_unreadable", file=self.path.name)
            with contextlib.suppress(OSError):
                write_atomically(self.path.with_suffix(".broken"), self.path.read_bytes())
        return records

    def write(self, content: dict[str, object]) -> None:
        """Replace the object."""
        write_atomically(self.path, json.dumps(content, indent=2, sort_keys=True).encode())


class FileLock:
    """A lock on a file; the system releases it when the process dies."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[bytes] | None = None

    def acquire(self, *, waits: bool = False) -> bool:
        """Acquire the lock, and return whether that succeeded.

        Args:
            waits: whether to wait until the lock is free (on Windows ten seconds at most).
        """
        make_private_dir(self.path.parent)
        file = self.path.open("a+b")
        try:
            if sys.platform == "win32":
                import msvcrt  # noqa: PLC0415 - exists on Windows only

                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if waits else msvcrt.LK_NBLCK, 1)
            else:
                import fcntl  # noqa: PLC0415 - exists on POSIX only

                fcntl.flock(file, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        except OSError:
            file.close()
            return False
        self._file = file
        return True

    def release(self) -> None:
        """Release the lock; harmless if it is not held."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()
