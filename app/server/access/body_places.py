"""Limits how many request bodies of one person are in memory (ADR 54)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary


class BodyPlaces:
    """Gives each person ``count`` places for request bodies; further ones wait unread."""

    def __init__(self, count: int) -> None:
        self._count = count
        # A person's semaphore exists as long as somebody holds one of the places or waits for one.
        self._places: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def hold(self, person: str) -> AsyncIterator[None]:
        """Wait for one of the person's places, and hold it."""
        places = self._places.setdefault(person, asyncio.Semaphore(self._count))
        async with places:
            yield
