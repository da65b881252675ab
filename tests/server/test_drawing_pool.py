"""Drawing processes."""

import asyncio
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from app.basics.errors import TooManyTries
from app.server.drawing_pool import DrawingError, DrawingPool

_ROOT = Path(__file__).parents[2]


class Lines:
    """A document of lines; the last line is the id of the process that drew it."""

    def __init__(self, title: str) -> None:
        self.lines = [title]

    def add(self, pages: Sequence[str]) -> None:
        """Add lines; one line may raise an error, or end the process."""
        for page in pages:
            if page == "fault":
                raise ValueError("the name of a patient")
            if page == "end":
                os._exit(1)
        self.lines += pages

    def finish(self) -> bytes:
        """Return the lines."""
        return "\n".join([*self.lines, str(os.getpid())]).encode()


def list_modules(prefix: str) -> list[str]:
    """List the modules of a package that the process has imported."""
    return [name for name in sys.modules if name.startswith(prefix)]


@pytest.fixture
async def drawing_pool() -> AsyncIterator[DrawingPool]:
    """A pool of one drawing process."""
    drawing_pool = DrawingPool(1)
    yield drawing_pool
    await drawing_pool.close()


async def draw_lines(drawing_pool: DrawingPool, person: str, *lines: str) -> list[str]:
    """Draw a document, and return its lines."""
    async with drawing_pool.open_document(person, Lines, "title") as document:
        for line in lines:
            await document.add([line])
        return (await document.finish()).decode().split("\n")


async def test_draws_in_another_process_and_reuses_it(drawing_pool: DrawingPool) -> None:
    *lines, process = await draw_lines(drawing_pool, "a", "1", "2")
    assert lines == ["title", "1", "2"]
    assert process != str(os.getpid())
    assert (await draw_lines(drawing_pool, "b"))[-1] == process


async def test_a_drawing_process_imports_no_database_library(drawing_pool: DrawingPool) -> None:
    async with drawing_pool.open_function("a", list_modules) as call:
        assert await call("sqlalchemy") == []
        assert await call("app.drawing.pages") != []


@pytest.mark.parametrize("line", ["fault", "end"])
async def test_a_fault_fails_only_its_own_document(
    drawing_pool: DrawingPool, line: str, capsys
) -> None:
    with pytest.raises(DrawingError) as raised:
        await draw_lines(drawing_pool, "a", line)
    assert "patient" not in str(raised.value) + "".join(capsys.readouterr())
    assert (await draw_lines(drawing_pool, "a", "1"))[:-1] == ["title", "1"]


async def test_a_fault_outside_of_drawing_keeps_the_process(drawing_pool: DrawingPool) -> None:
    [_, process] = await draw_lines(drawing_pool, "a")
    with pytest.raises(LookupError):
        async with drawing_pool.open_document("a", Lines, "title") as document:
            await document.add(["1"])
            raise LookupError
    assert await draw_lines(drawing_pool, "a") == ["title", process]


async def test_people_take_turns(drawing_pool: DrawingPool) -> None:
    async with drawing_pool.open_document("a", Lines, "first") as document:
        second = asyncio.create_task(draw_lines(drawing_pool, "b"))
        await document.add(["1"])
        assert not second.done()
        await document.finish()
    assert (await second)[0] == "title"


async def test_a_person_has_few_documents_in_progress(drawing_pool: DrawingPool) -> None:
    async with drawing_pool.open_document("a", Lines, "first"):
        tasks = [asyncio.create_task(draw_lines(drawing_pool, "a")) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(TooManyTries):
            await draw_lines(drawing_pool, "a")
    await asyncio.gather(*tasks)


async def test_a_reader_who_leaves_frees_the_process(drawing_pool: DrawingPool) -> None:
    is_drawing = asyncio.Event()

    async def draw_for_an_hour() -> None:
        async with drawing_pool.open_function("a", time.sleep) as call:
            await call(0)
            is_drawing.set()
            await call(3_600)

    drawing_task = asyncio.create_task(draw_for_an_hour())
    await is_drawing.wait()
    drawing_task.cancel()
    await asyncio.gather(drawing_task, return_exceptions=True)
    assert (await draw_lines(drawing_pool, "b"))[0] == "title"


_PARENT = """
import asyncio, os
from app.server.drawing_pool import DrawingPool
async def run():
    drawing_pool = DrawingPool(1)
    async with drawing_pool.open_function("a", os.getpid) as call:
        print(await call(), flush=True)
    await asyncio.sleep(600)
if __name__ == "__main__":
    asyncio.run(run())
"""


def test_drawing_process_ends_with_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(_PARENT)
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, env=environment
    ) as parent:
        assert parent.stdout is not None
        child = os.pidfd_open(int(parent.stdout.readline()))
        parent.send_signal(signal.SIGKILL)
    try:
        ended_processes, _, _ = select.select([child], [], [], 60)
    finally:
        os.close(child)
    assert ended_processes
