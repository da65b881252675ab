"""Memory of the portal's processes: what they load, and what they give back."""

import gc
import os
from collections.abc import AsyncIterator

import pytest

from app.server.drawing_pool import DrawingPool
from app.server.memory import measure_memory, pause_collections
from tests.modules import list_loaded_modules

_MB = 1024 * 1024
_LEFT_OVER: list[bytearray] = []


def leave_much_memory() -> int:
    """Allocate memory and never free it; return the process id.

    Part of a large document's memory stays allocated in the same way.
    """
    _LEFT_OVER.append(bytearray(b"x") * (128 * _MB))
    return os.getpid()


def get_process_id() -> int:
    """Return the id of the process that runs this."""
    return os.getpid()


def use_large_blocks() -> tuple[int, int]:
    """Return the memory before and after large blocks are freed.

    Small blocks lie between the large ones, as in uploads. The very first block is freed at once.
    The C library then takes later blocks of this size from its heap, unless it is configured
    otherwise.
    """
    bytearray(b"x") * (24 * _MB)
    blocks, small_blocks = [], []
    for _ in range(8):
        blocks.append(bytearray(b"x") * (16 * _MB))
        small_blocks.append(bytearray(b"x") * 4_096)
    full = measure_memory(os.getpid())
    blocks.clear()
    _LEFT_OVER.extend(small_blocks)
    return full, measure_memory(os.getpid())


@pytest.fixture
async def drawing_pool() -> AsyncIterator[DrawingPool]:
    """A pool of one drawing process."""
    drawing_pool = DrawingPool(1)
    yield drawing_pool
    await drawing_pool.close()


def test_collections_pause_only_while_modules_load() -> None:
    with pause_collections():
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0


def test_the_process_that_watches_the_others_loads_little() -> None:
    names = {"psycopg", "sqlalchemy", "alembic", "fastapi", "reportlab", "PIL"}
    assert list_loaded_modules("app.server.serve") & names == {"psycopg"}


@pytest.mark.parametrize("module", ["app.server.api", "app.server.worker"])
def test_other_processes_load_no_library_for_rare_work(module: str) -> None:
    names = {"sqlalchemy", "alembic", "mako", "xlsxwriter", "reportlab.platypus"}
    assert list_loaded_modules(module) & names == {"sqlalchemy"}


async def test_large_blocks_go_back_to_the_system(drawing_pool: DrawingPool) -> None:
    async with drawing_pool.open_function("a", use_large_blocks) as use:
        full_memory, remaining_memory = await use()
    assert full_memory - remaining_memory > 100 * _MB


async def test_a_drawing_process_that_became_large_is_replaced(drawing_pool: DrawingPool) -> None:
    async with drawing_pool.open_function("a", leave_much_memory) as draw:
        large = await draw()
    async with drawing_pool.open_function("a", get_process_id) as draw:
        other = await draw()
    assert other != large
    async with drawing_pool.open_function("a", get_process_id) as draw:
        assert await draw() == other
