"""Keys kept outside the database, one file each, readable by their owner alone."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_NONCE_BYTES = 12


class Cipher:
    """Encrypts what is kept (AES-256-GCM, a fresh nonce each).

    ``about`` says what the content belongs to: it opens for that alone.
    """

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def seal(self, content: bytes, about: bytes) -> bytes:
        """Nonce followed by cipher text."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, content, about)

    def open(self, sealed: bytes, about: bytes) -> bytes:
        """The content; raises InvalidTag when it was sealed about something else."""
        return self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], about)


class KeyFolder:
    """A folder of secrets made on first use.

    A key is written whole under a temporary name and then linked into place, so that two
    processes starting together agree on one key and a crash never leaves half of one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def password(self, name: str) -> str:
        """A random password for a database login (256 bits, URL-safe text)."""
        return self.key(name, lambda: secrets.token_urlsafe(32).encode()).decode()

    def cipher(self, name: str) -> Cipher:
        """A cipher with the key called ``name`` (256 bits)."""
        return Cipher(self.key(name, lambda: os.urandom(32)))

    def key(self, name: str, make: Callable[[], bytes]) -> bytes:
        """The key called ``name``; ``make`` is asked for one only when there is none yet."""
        path = self._folder / name
        if not path.exists():
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft = self._folder / f".{name}.{os.getpid()}.{secrets.token_hex(4)}"
            with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as f:
                f.write(make())
                f.flush()
                os.fsync(f.fileno())
            try:
                os.link(draft, path)
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        return path.read_bytes()
