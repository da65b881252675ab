"""Social security numbers at rest: encrypted, found by a keyed hash, keys outside the database."""

import hmac
import os
from hashlib import sha256

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from app.server.keys import KeyFolder

_NONCE_BYTES = 12


class SocialSecurityNumbers:
    """Encrypts (AES-256-GCM, a fresh nonce each) and hashes (HMAC-SHA-256) nine digits."""

    def __init__(self, keys: KeyFolder) -> None:
        self._cipher = AESGCM(keys.key("ssn-encryption.key", lambda: os.urandom(32)))
        self._hash_key = keys.key("ssn-lookup.key", lambda: os.urandom(32))

    def encrypt(self, digits: str) -> bytes:
        """Nonce followed by cipher text."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, digits.encode(), None)

    def decrypt(self, kept: bytes) -> str:
        """The nine digits."""
        return self._cipher.decrypt(kept[:_NONCE_BYTES], kept[_NONCE_BYTES:], None).decode()

    def lookup(self, digits: str) -> bytes:
        """What an exact search compares."""
        return hmac.new(self._hash_key, digits.encode(), sha256).digest()
