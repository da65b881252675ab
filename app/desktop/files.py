"""Small files in the user's own folders: where they are, and how they are written without harm."""

import contextlib
import json
import os
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import IO, Self

_APPLICATION = "lab-portal"
_OVERRIDE = "PORTAL_DESKTOP_DIR"


def config_dir() -> Path:
    """The folder of this person's settings; ``PORTAL_DESKTOP_DIR`` moves it."""
    moved = os.environ.get(_OVERRIDE)
    if moved:
        return Path(moved)
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return base / _APPLICATION


def private_dir(folder: Path) -> Path:
    """``folder``, made where it is missing, readable by its owner alone."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if os.name == "posix":
        folder.chmod(0o700)
    return folder


def write_atomically(path: Path, content: bytes) -> None:
    """Replace ``path`` as a whole: a reader, or the next start after a crash, sees old or new."""
    private_dir(path.parent)
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


class JsonFile:
    """One JSON object on disk.

    An unreadable file is put aside under ``.broken`` and read as empty: a workstation must
    still start, and nobody's settings are thrown away. What a killed process left half
    written is swept up when the file is first looked at.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if path.parent.is_dir():
            for part in path.parent.glob(f".{path.name}.*.part"):
                with contextlib.suppress(OSError):
                    part.unlink()

    def read(self) -> dict[str, object]:
        """The object; empty when there is no file yet."""
        try:
            content = json.loads(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except (ValueError, OSError):
            content = None
        if isinstance(content, dict):
            return content
        with contextlib.suppress(OSError):
            self.path.replace(self.path.with_suffix(".broken"))
        return {}

    def write(self, content: dict[str, object]) -> None:
        """Replace the object."""
        write_atomically(self.path, json.dumps(content, indent=2, sort_keys=True).encode())


class FileLock:
    """Holds a file as long as this process lives; the system lets go when the process dies."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[bytes] | None = None

    def acquire(self) -> bool:
        """Whether the lock is ours now; never waits."""
        private_dir(self.path.parent)
        file = self.path.open("a+b")
        try:
            if sys.platform == "win32":
                import msvcrt  # noqa: PLC0415 - exists on Windows only

                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl  # noqa: PLC0415 - exists on POSIX only

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        self._file = file
        return True

    def release(self) -> None:
        """Let go; harmless when the lock is not ours."""
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
