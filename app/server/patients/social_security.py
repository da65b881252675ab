"""Encryption and search hashes of social security numbers, with keys outside the database."""

import hmac
import os
from hashlib import sha256

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from app.server.keys import KeyFolder

_NONCE_BYTES = 12


class SocialSecurityNumbers:
    """Encrypts (AES-256-GCM, a fresh nonce each) and hashes (HMAC-SHA-256) nine digits."""

    def __init__(self, keys: KeyFolder) -> None:
        self._cipher = AESGCM(keys.load_key("ssn-encryption.key", lambda: os.urandom(32)))
        self._hash_key = keys.load_key("ssn-lookup.key", lambda: os.urandom(32))

    def encrypt(self, digits: str) -> bytes:
        """Encrypt the digits, and return the nonce followed by the cipher text."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, digits.encode(), None)

    def decrypt(self, sealed_digits: bytes) -> str:
        """Decrypt the nine digits."""
        nonce, cipher_text = sealed_digits[:_NONCE_BYTES], sealed_digits[_NONCE_BYTES:]
        return self._cipher.decrypt(nonce, cipher_text, None).decode()

    def hash(self, digits: str) -> bytes:
        """Return the keyed hash that exact searches compare."""
        return hmac.new(self._hash_key, digits.encode(), sha256).digest()
