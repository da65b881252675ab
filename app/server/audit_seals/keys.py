"""The keys of the seals, in the key folder: the current one seals, and older ones verify."""

import os
from pathlib import Path

from app.server.audit_seals.rules import compute_key_id
from app.server.keys import KeyFolder

_NAME = "audit-seal.key"
_OLD_NAME = "audit-seal.{id}.key"


class SealKeys:
    """The keys of the seals by their ids.

    They are read from the folder each time, so that workers follow a new key without a restart.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load_current(self) -> bytes:
        """Return the key that seals; it is created on first use."""
        return KeyFolder(self._folder).load_secret(_NAME)

    def load_all(self) -> dict[str, bytes]:
        """Return all keys by their ids; a file with another key has another id."""
        paths = [self._folder / _NAME, *self._folder.glob(_OLD_NAME.format(id="*"))]
        keys = [path.read_bytes() for path in paths if path.exists()]
        return {compute_key_id(key): key for key in keys}

    def rotate(self) -> tuple[str, str]:
        """Set the current key aside, create another one, and return the ids of both."""
        old = self.load_current()
        old_id = compute_key_id(old)
        # Link the key before removing it, so that a crash loses no key.
        old_path = self._folder / _OLD_NAME.format(id=old_id)
        if not old_path.exists():
            os.link(self._folder / _NAME, old_path)
        (self._folder / _NAME).unlink()
        return old_id, compute_key_id(self.load_current())
