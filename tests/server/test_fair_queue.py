"""People take turns with costly work."""

import asyncio

import pytest

from app.basics.errors import TooManyTries
from app.server.fair_queue import FairQueue


class Jobs:
    """Pieces of work in a queue, each of which runs until it is released."""

    def __init__(self, queue: FairQueue) -> None:
        self.queue = queue
        self.started: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def begin(self, name: str) -> None:
        """Begin a piece of work; the letter in its name stands for the person."""
        self.ends[name] = asyncio.Event()
        self.tasks[name] = asyncio.create_task(self._run(name))
        await asyncio.sleep(0)

    async def _run(self, name: str) -> None:
        async with self.queue.join(name[0]):
            self.started.append(name)
            await self.ends[name].wait()

    async def end(self, name: str) -> None:
        """End a piece of work, and let the next one begin."""
        self.ends[name].set()
        await self.tasks[name]
        await asyncio.sleep(0)

    async def cancel(self, name: str) -> None:
        """Cancel a piece of work, as when its sender disconnects."""
        self.tasks[name].cancel()
        await asyncio.gather(self.tasks[name], return_exceptions=True)
        await asyncio.sleep(0)


async def test_runs_one_piece_of_a_person_at_a_time() -> None:
    jobs = Jobs(FairQueue(slots=2, places=4))
    for name in ("a1", "a2", "b1"):
        await jobs.begin(name)
    assert jobs.started == ["a1", "b1"]
    await jobs.end("a1")
    assert jobs.started == ["a1", "b1", "a2"]
    await jobs.end("a2")
    await jobs.end("b1")


async def test_people_take_turns() -> None:
    jobs = Jobs(FairQueue(slots=1, places=4))
    for name in ("a1", "a2", "a3", "b1", "c1"):
        await jobs.begin(name)
    for name in ("a1", "a2", "b1", "c1", "a3"):
        assert jobs.started[-1] == name
        await jobs.end(name)


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses before rejections, which these tests do not wait for."""
    durations: list[float] = []

    async def note(seconds: float) -> None:
        durations.append(seconds)

    # Not `asyncio.sleep` itself: a server of another test may sleep in the same loop.
    monkeypatch.setattr("app.server.fair_queue.sleep", note)
    return durations


async def test_limits_the_places_of_a_person(pauses: list[float]) -> None:
    jobs = Jobs(FairQueue(slots=1, places=2))
    await jobs.begin("a1")
    await jobs.begin("a2")
    with pytest.raises(TooManyTries):
        async with jobs.queue.join("a"):
            pass
    # Without a pause, a program that retries at once would cost as much as the work does.
    assert pauses == [1]
    await jobs.begin("b1")
    for name in ("a1", "a2", "b1"):
        await jobs.end(name)
    async with jobs.queue.join("a"):
        pass


async def test_frees_the_turn_of_canceled_requests() -> None:
    jobs = Jobs(FairQueue(slots=1, places=4))
    for name in ("a1", "b1", "c1"):
        await jobs.begin(name)
    await jobs.cancel("b1")
    await jobs.cancel("a1")
    assert jobs.started == ["a1", "c1"]
    await jobs.end("c1")
    async with jobs.queue.join("b"):
        pass


async def test_frees_a_turn_that_arrives_with_the_cancellation() -> None:
    jobs = Jobs(FairQueue(slots=1, places=4))
    for name in ("a1", "b1", "c1"):
        await jobs.begin(name)
    jobs.ends["a1"].set()
    await asyncio.sleep(0)  # a1 ends, and b1 gets its turn
    await jobs.cancel("b1")
    assert jobs.started == ["a1", "c1"]
    await jobs.end("c1")
