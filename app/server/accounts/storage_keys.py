"""Keys with which a browser encrypts what it keeps for a person (recent lists, DECISIONS)."""

import hmac
import os
from base64 import b64encode
from hashlib import sha256
from uuid import UUID

from app.server.keys import KeyFolder


class StorageKeys:
    """Derives a key of 256 bits for each user from one that is kept outside the database.

    The browser asks for it at sign-in and forgets it at sign-out, so that what it kept can not
    be read by the next person at the same machine.
    """

    def __init__(self, keys: KeyFolder) -> None:
        self._root = keys.key("browser-storage.key", lambda: os.urandom(32))

    def of(self, user_id: UUID) -> str:
        """The user's key as base64."""
        return b64encode(hmac.new(self._root, user_id.bytes, sha256).digest()).decode()
