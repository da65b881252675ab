"""Keys that encrypt a user's data in the browser, such as the recent lists."""

import hmac
import os
from base64 import b64encode
from hashlib import sha256
from uuid import UUID

from app.server.keys import KeyFolder


class StorageKeys:
    """Derives a 256-bit key for each user from a root key outside the database (DECISIONS).

    The browser gets the key at sign-in and drops it at sign-out, so that the next person at the
    same machine cannot read the stored data.
    """

    def __init__(self, keys: KeyFolder) -> None:
        self._root = keys.load_key("browser-storage.key", lambda: os.urandom(32))

    def derive(self, user_id: UUID) -> str:
        """Derive the user's key, as base64."""
        return b64encode(hmac.new(self._root, user_id.bytes, sha256).digest()).decode()
