"""Additional processes of the portal, which are started again when they die or hang."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from app.server.heartbeat import HEARTBEAT, Heartbeat

STOP_SECONDS = 15.0
_KILL_SECONDS = 5.0
Result = TypeVar("Result")
UNTIL_END_OF_INPUT = "--until-end-of-input"
"""The option of commands that stop at the end of their standard input."""
_PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Seconds before restarting a process that died; a steady run resets the sequence."""
_STEADY_SECONDS = 30.0


def run_in_process(function: Callable[..., Result], *arguments: Any) -> Result:
    """Call a function in a separate process, whose end frees its memory; return the result.

    Raises:
        ProcessEndedError: the process ended without a result.
        Exception: what the function raised.
    """
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send_result, args=(sender, function, arguments), daemon=True)
    process.start()
    sender.close()
    try:
        result, error = receiver.recv()
    except EOFError:
        raise ProcessEndedError(f"{function.__qualname__} ended without a result") from None
    finally:
        process.terminate()  # only an interrupted call is still running
        process.join()
    if error is not None:
        raise error
    returned_value: Result = result
    return returned_value


def _send_result(
    sender: Connection, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    # A Ctrl-C in the terminal interrupts the caller, which then ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    outcome: tuple[Any, Exception | None]
    try:
        outcome = (function(*arguments), None)
    except Exception as error:
        outcome = (None, error)
    sender.send(outcome)


class ProcessEndedError(RuntimeError):
    """A process ended before it returned anything."""


class ChildProcess:
    """Runs ``python -m app COMMAND`` until it is asked to stop.

    The child stops at the end of its standard input, which it also sees when the portal is killed,
    so it never outlives the portal. A child that dies, or whose heart stops, is replaced.

    Args:
        command: the command, which knows the options ``--until-end-of-input`` and ``--heartbeat``.
        title: what the child is, as the terminal names it.
        report: is called with a sentence when the child died or hung.
        hang_seconds: how long a child may be silent.
        environment: variables that the child gets besides this process's own.
    """

    def __init__(
        self,
        command: str,
        title: str,
        report: Callable[[str], None],
        hang_seconds: float,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._command = [sys.executable, "-m", "app", command, UNTIL_END_OF_INPUT]
        self._title = title
        self._report = report
        self._hang_seconds = hang_seconds
        self._environment = {**os.environ, **(environment or {})}
        self._is_stopping = threading.Event()
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._supervisor = threading.Thread(
            target=self._supervise, name=f"{command}-supervisor", daemon=True
        )

    def start(self) -> None:
        """Start the child, and start it again whenever it dies."""
        self._supervisor.start()

    def ask_to_stop(self) -> None:
        """End the child's input, and do not start it again."""
        with self._lock:
            self._is_stopping.set()
            child = self._child
        if child is not None and child.stdin is not None:
            child.stdin.close()

    def wait_until(self, deadline: float) -> None:
        """Wait for the end of a child that was asked to stop, and kill it at the deadline."""
        child = self._child
        if child is not None:
            try:
                child.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()
        self._supervisor.join(_KILL_SECONDS)

    def _supervise(self) -> None:
        deaths = 0
        while True:
            with self._lock:
                if self._is_stopping.is_set():
                    return
                heartbeat = Heartbeat(self._hang_seconds)
                self._child = self._start_child(heartbeat)
            started_at = time.monotonic()
            is_alive = heartbeat.wait_for_end(self._child)
            if is_alive and not self._is_stopping.is_set():
                self._report(f"{self._title} no longer responds; replacing it")
                self._child.kill()
            self._child.wait()
            if self._is_stopping.is_set():
                return
            if time.monotonic() - started_at > _STEADY_SECONDS:
                deaths = 0
            if not is_alive:
                self._report(f"{self._title} ended unexpectedly; starting it again")
            self._is_stopping.wait(_PAUSES[min(deaths, len(_PAUSES) - 1)])
            deaths += 1

    def _start_child(self, heartbeat: Heartbeat) -> subprocess.Popen[bytes]:
        with heartbeat.open_sender() as descriptors:
            return subprocess.Popen(
                [*self._command, *(f"{HEARTBEAT}={descriptor}" for descriptor in descriptors)],
                stdin=subprocess.PIPE,
                env=self._environment,
                pass_fds=descriptors,
                # A Ctrl-C in the terminal must reach the portal first, not its children.
                start_new_session=True,
            )


@contextmanager
def keep_running(children: Sequence[ChildProcess]) -> Iterator[None]:
    """Run these children as long as the context is open; then all stop at the same time."""
    for child in children:
        child.start()
    try:
        yield
    finally:
        for child in children:
            child.ask_to_stop()
        deadline = time.monotonic() + STOP_SECONDS
        for child in children:
            child.wait_until(deadline)


def call_at_end_of_input(stop: Callable[[], object]) -> None:
    """Call ``stop`` in the running loop when standard input ends."""
    loop = asyncio.get_running_loop()

    def watch_input() -> None:
        # Read without sys.stdin, whose lock this thread would still hold when Python exits.
        while os.read(0, 1024):
            pass
        with suppress(RuntimeError):  # the loop has already ended
            loop.call_soon_threadsafe(stop)

    threading.Thread(target=watch_input, name="end-of-input", daemon=True).start()
