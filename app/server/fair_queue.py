"""A queue for costly work, in which people take turns (ADR 54)."""

import asyncio
from asyncio import sleep
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.basics.errors import TooManyTries
from app.contract import messages

RETRY_SECONDS = 5
_REJECTION_SECONDS = 1.0
"""How long a rejection takes. A program that tries again at once would be costly, too, because each
try is authenticated and audited."""


class FairQueue:
    """Admits ``slots`` pieces of work at a time, one per person; people take turns.

    Args:
        slots: pieces of work that run at the same time.
        places: pieces of work that one person may have here, running or waiting.
    """

    def __init__(self, slots: int, places: int = 4) -> None:
        self._free_slots = slots
        self._places = places
        self._counts: dict[str, int] = {}
        self._running_people: set[str] = set()
        # People in the order of their turns, each with their waiting requests.
        self._waiting_requests: dict[str, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def hold_place(self, person: str) -> AsyncIterator[None]:
        """Hold one of the person's places, or raise TooManyTries after a pause if all are taken."""
        count = self._counts.get(person, 0)
        if count >= self._places:
            await sleep(_REJECTION_SECONDS)
            headers = {"Retry-After": str(RETRY_SECONDS)}
            raise TooManyTries(messages.TOO_MANY_AT_ONCE, headers=headers)
        self._counts[person] = count + 1
        try:
            yield
        finally:
            self._counts[person] -= 1
            if not self._counts[person]:
                del self._counts[person]

    @asynccontextmanager
    async def take_turn(self, person: str) -> AsyncIterator[None]:
        """Wait until it is the person's turn, and hold a slot."""
        await self._acquire(person)
        try:
            yield
        finally:
            self._release(person)

    @asynccontextmanager
    async def join(self, person: str) -> AsyncIterator[None]:
        """Hold a place and take a turn, or raise TooManyTries."""
        async with self.hold_place(person), self.take_turn(person):
            yield

    async def _acquire(self, person: str) -> None:
        if self._free_slots and person not in self._running_people:
            self._free_slots -= 1
            self._running_people.add(person)
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting_requests.setdefault(person, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn in self._waiting_requests.get(person, ()):
                self._leave(person, turn)
            else:
                self._release(person)  # The turn came at the moment of the cancellation.
            raise

    def _leave(self, person: str, turn: asyncio.Future[None]) -> None:
        turns = self._waiting_requests[person]
        turns.remove(turn)
        if not turns:
            del self._waiting_requests[person]

    def _release(self, person: str) -> None:
        self._free_slots += 1
        self._running_people.discard(person)
        for waiting_person in self._waiting_requests:
            if waiting_person not in self._running_people:
                self._start(waiting_person)
                return

    def _start(self, person: str) -> None:
        turns = self._waiting_requests.pop(person)
        turn = turns.popleft()
        if turns:
            self._waiting_requests[person] = turns  # behind everybody else
        self._free_slots -= 1
        self._running_people.add(person)
        turn.set_result(None)
