"""The folder of documents for viewers, made and owned by the app's process (ADR 77)."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from app.desktop.files import FileLock

_PREFIX = "lab-portal-documents-"


class DocumentFolder:
    """A private folder for one run of the app; a lock in the folder marks it as in use.

    It outlives a sidecar, because a viewer may still load a document that an earlier one opened.
    """

    def __init__(self) -> None:
        base = Path(tempfile.gettempdir())
        _sweep_folders(base)
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
        self._lock = FileLock(self.path / "lock")
        self._lock.acquire()

    def remove(self) -> None:
        """Remove every document; a viewer that shows one still has its open file."""
        self._lock.release()
        remove_documents(self.path)


def remove_documents(folder: Path) -> None:
    """Remove the folder of an app that has ended, except files that a program still holds."""
    shutil.rmtree(folder, ignore_errors=True)


def _sweep_folders(base: Path) -> None:
    """Remove folders of killed apps of this user; nobody holds their lock."""
    for folder in base.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            if os.name == "posix" and folder.stat().st_uid != os.getuid():
                continue
            lock = FileLock(folder / "lock")
            if (folder / "lock").exists() and lock.acquire():
                lock.release()
                remove_documents(folder)
