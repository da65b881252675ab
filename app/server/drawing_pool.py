"""Processes that draw documents, so that drawing does not hold up other requests (ADR 54).

They also do other long work without a database. Such work takes the interpreter's lock for
seconds. Each process draws one document at a time, and people take turns. Page data goes to the
process and the document comes back through a pipe.
"""

import asyncio
import multiprocessing
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

import structlog

from app.server.fair_queue import FairQueue
from app.server.logs import describe_error
from app.server.memory import measure_memory, pause_collections, release_freed_memory

_log = structlog.get_logger("portal.drawing")
_NICENESS = 5
"""Drawing yields to everything that people wait for more urgently."""
_MEMORY_MAX = 96 * 1024 * 1024
"""A process that uses more ends after its document, and is replaced. A new one uses 40 MB."""
_PRELOADED_MODULE = "app.drawing.pages"
"""Imported before the first document, because it takes half a second."""
_SPAWN = multiprocessing.get_context("spawn")
Page = TypeVar("Page")
Page_contra = TypeVar("Page_contra", contravariant=True)
Drawn = TypeVar("Drawn")
Arguments = ParamSpec("Arguments")


class Drawable(Protocol[Page_contra]):
    """A document that is drawn in steps (``app.drawing.pages``)."""

    def add(self, pages: Sequence[Page_contra]) -> None:
        """Draw the next records."""
        ...

    def finish(self) -> bytes:
        """Return the file."""
        ...


class DrawingError(RuntimeError):
    """A document could not be drawn; the log has the type and the place of the fault."""


class Drawing(Generic[Page]):
    """A document in a drawing process."""

    def __init__(self, ask: Callable[..., Awaitable[Any]]) -> None:
        self._ask = ask

    async def add(self, pages: Sequence[Page]) -> None:
        """Draw the next records."""
        await self._ask("add", pages)

    async def finish(self) -> bytes:
        """Return the file; nothing can be added afterwards."""
        document: bytes = await self._ask("finish")
        return document


class DrawingPool:
    """Up to ``count`` drawing processes, which start when they are needed."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._queue = FairQueue(slots=count)
        self._idle: list[DrawingProcess] = []
        # Threads only wait for the processes.
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="drawer")

    @asynccontextmanager
    async def open_document(
        self, person: str, kind: Callable[..., Drawable[Page]], *arguments: Any
    ) -> AsyncIterator[Drawing[Page]]:
        """Open a document of this kind, once it is the person's turn.

        Raises:
            TooManyTries: the person already has several documents in progress.
            DrawingError: drawing failed.
        """
        async with self._open_process(person) as ask:
            await ask("open", kind, arguments)
            yield Drawing(ask)

    @asynccontextmanager
    async def _open_process(self, person: str) -> AsyncIterator[Callable[..., Awaitable[Any]]]:
        """Yield a function that sends a message to a process and returns its answer."""
        async with self._queue.join(person):
            process = self._pop_idle() or await self._run(DrawingProcess)
            is_idle = True

            async def ask(*message: Any) -> Any:
                nonlocal is_idle
                is_idle = False
                answer = await self._run(process.ask, *message)
                is_idle = True
                return answer

            try:
                yield ask
            finally:
                if is_idle and process.measure_memory() <= _MEMORY_MAX:
                    self._idle.append(process)
                else:
                    # The process may still be drawing for somebody who has disconnected, or hold
                    # memory of a large document, which it returns only when it ends.
                    process.kill()

    @asynccontextmanager
    async def open_function(
        self, person: str, draw: Callable[Arguments, Drawn]
    ) -> AsyncIterator[Callable[Arguments, Awaitable[Drawn]]]:
        """Yield a function that calls ``draw`` in a drawing process; see ``open_document``."""
        async with self._open_process(person) as ask:

            async def call(*arguments: Arguments.args, **_none: Arguments.kwargs) -> Drawn:
                drawing: Drawn = await ask("call", draw, arguments)
                return drawing

            yield call

    async def start(self) -> None:
        """Start all processes now, so that the first document does not wait for one."""
        processes = [self._run(DrawingProcess) for _ in range(self._count - len(self._idle))]
        self._idle += await asyncio.gather(*processes)

    async def close(self) -> None:
        """End the processes."""
        for process in self._idle:
            process.kill()
        self._idle.clear()
        self._threads.shutdown(wait=False)

    def _pop_idle(self) -> "DrawingProcess | None":
        while self._idle:
            if (process := self._idle.pop()).is_alive():
                return process
        return None

    async def _run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)


class DrawingProcess:
    """The parent's end of a drawing process."""

    def __init__(self) -> None:
        self._pipe, child = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_run_process, args=(child,), daemon=True)
        self._process.start()
        child.close()

    def ask(self, *message: Any) -> Any:
        """Send a message and wait for its answer, or raise DrawingError."""
        try:
            self._pipe.send(message)
            is_done, answer = self._pipe.recv()
        except (OSError, EOFError) as error:
            raise DrawingError("the drawing process has ended") from error
        if not is_done:
            _log.error("drawing failed", **answer)
            raise DrawingError("drawing failed")
        return answer

    def is_alive(self) -> bool:
        """Whether the process can draw; the system may have ended it."""
        return self._process.is_alive()

    def measure_memory(self) -> int:
        """Return the memory of the process in bytes."""
        return measure_memory(self._process.pid or 0)

    def kill(self) -> None:
        """End the process; a thread that waits for it gets an error."""
        self._process.kill()
        self._process.join()


def _run_process(pipe: Connection) -> None:
    """Draw documents until the parent's end of the pipe closes, even when the parent is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    release_freed_memory()
    if sys.platform != "win32":
        os.nice(_NICENESS)
    with pause_collections():
        import_module(_PRELOADED_MODULE)
    document: Any = None
    with suppress(EOFError, OSError):
        while True:
            act, *arguments = pipe.recv()
            try:
                if act == "open":
                    kind, values = arguments
                    document, answer = kind(*values), None
                elif act == "call":
                    function, values = arguments
                    answer = function(*values)
                else:
                    answer = getattr(document, act)(*arguments)
            except Exception as error:
                pipe.send((False, describe_error(error)))
            else:
                pipe.send((True, answer))
