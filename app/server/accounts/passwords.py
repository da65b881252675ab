"""Password hashing: Argon2id, off the event loop, a bounded number at once."""

import asyncio
from weakref import WeakValueDictionary

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_AT_ONCE = 2


class Passwords:
    """Hashes and checks. 19 MiB and 2 passes each; more than ``_AT_ONCE`` wait their turn."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._tries: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()
        self._nobody = self._hasher.hash("nobody has this password")

    def turn(self, account: bytes) -> asyncio.Lock:
        """To be held while one password of this account is tried; the others wait."""
        return self._tries.setdefault(account, asyncio.Lock())

    def hash_now(self, password: str) -> str:
        """Hash in this thread (seeding, tests)."""
        return self._hasher.hash(password)

    async def hash(self, password: str) -> str:
        """Hash for storage."""
        async with self._turns:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def matches(self, password_hash: str | None, password: str) -> bool:
        """Whether the password is right; takes as long when there is no such user (None)."""
        async with self._turns:
            return await asyncio.to_thread(self._verify, password_hash, password)

    def _verify(self, password_hash: str | None, password: str) -> bool:
        try:
            self._hasher.verify(password_hash or self._nobody, password)
        except (VerificationError, InvalidHashError):
            return False
        return password_hash is not None
