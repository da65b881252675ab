"""Password hashing with Argon2id, off the event loop and with bounded concurrency."""

import asyncio
from functools import cache
from weakref import WeakValueDictionary

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_CONCURRENCY = 2


def _build_hasher() -> PasswordHasher:
    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


@cache
def _hash_for_nobody() -> str:
    """Return the hash to verify for an unknown user; made once per process, because it is slow."""
    return _build_hasher().hash("nobody has this password")


class Passwords:
    """Hashes and verifies passwords: 19 MiB, 2 passes, at most ``_CONCURRENCY`` at once."""

    def __init__(self) -> None:
        self._hasher = _build_hasher()
        self._slots = asyncio.Semaphore(_CONCURRENCY)
        self._account_locks: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()
        self._dummy_hash = _hash_for_nobody()

    def get_account_lock(self, account: bytes) -> asyncio.Lock:
        """Return the lock to hold while a password of this account is tried."""
        return self._account_locks.setdefault(account, asyncio.Lock())

    def hash_now(self, password: str) -> str:
        """Hash in this thread (seeding, tests)."""
        return self._hasher.hash(password)

    def matches_now(self, password_hash: str, password: str) -> bool:
        """Whether the password is right, in this thread (the start of the portal)."""
        return self._verify(password_hash, password)

    async def hash(self, password: str) -> str:
        """Hash a password for storage."""
        async with self._slots:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def matches(self, password_hash: str | None, password: str) -> bool:
        """Whether the password is right; takes equally long for an unknown user (hash None)."""
        async with self._slots:
            return await asyncio.to_thread(self._verify, password_hash, password)

    def _verify(self, password_hash: str | None, password: str) -> bool:
        try:
            self._hasher.verify(password_hash or self._dummy_hash, password)
        except (VerificationError, InvalidHashError):
            return False
        return password_hash is not None
