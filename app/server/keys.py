"""Keys outside the database, one file each, readable only by their owner."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_NONCE_BYTES = 12


class Cipher:
    """Encrypts stored content (AES-256-GCM, with a fresh nonce each time).

    ``context`` names what the content belongs to; the content only opens with the same context.
    """

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def seal(self, content: bytes, context: bytes) -> bytes:
        """Encrypt the content, and return the nonce followed by the cipher text."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, content, context)

    def open(self, sealed_bytes: bytes, context: bytes) -> bytes:
        """Decrypt sealed content, or raise InvalidTag if it was sealed with another context."""
        return self._cipher.decrypt(
            sealed_bytes[:_NONCE_BYTES], sealed_bytes[_NONCE_BYTES:], context
        )


class KeyFolder:
    """A folder of secrets, which are created on first use.

    A key is written under a temporary name and then linked into place. Processes that start
    together agree on one key, and a crash never leaves a partial one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load_password(self, name: str) -> str:
        """Return a random password for a database login (256 bits, URL-safe text)."""
        return self.load_key(name, lambda: secrets.token_urlsafe(32).encode()).decode()

    def load_cipher(self, name: str) -> Cipher:
        """Return a cipher with the key of this name (256 bits)."""
        return Cipher(self.load_secret(name))

    def load_secret(self, name: str) -> bytes:
        """Return the random key of this name (256 bits)."""
        return self.load_key(name, lambda: os.urandom(32))

    def load_key(self, name: str, generate: Callable[[], bytes]) -> bytes:
        """Return the key of this name; ``generate`` is called if it does not exist yet."""
        path = self._folder / name
        if not path.exists():
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            temporary = self._folder / f".{name}.{os.getpid()}.{secrets.token_hex(4)}"
            with os.fdopen(
                os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb"
            ) as file:
                file.write(generate())
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(temporary, path)
            except FileExistsError:
                pass
            finally:
                temporary.unlink()
        return path.read_bytes()
