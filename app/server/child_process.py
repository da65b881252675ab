"""Processes of the portal beside its first one, which are started again when they die."""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self

STOP_SECONDS = 15.0
UNTIL_END_OF_INPUT = "--until-end-of-input"
"""The option of commands that stop at the end of their standard input."""
_PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Seconds before restarting a process that died; a steady run resets the sequence."""
_STEADY_SECONDS = 30.0


class ChildProcess:
    """Runs ``python -m app COMMAND`` as long as the context is open.

    The child stops at the end of its standard input, which it also sees when the portal is killed,
    so it never outlives the portal.

    Args:
        command: the command, which knows the option ``--until-end-of-input``.
        title: what the child is, as the terminal names it.
        report: is called with a sentence when the child died.
        environment: variables that the child gets beside those of this process.
    """

    def __init__(
        self,
        command: str,
        title: str,
        report: Callable[[str], None],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._command = [sys.executable, "-m", "app", command, UNTIL_END_OF_INPUT]
        self._title = title
        self._report = report
        self._environment = {**os.environ, **(environment or {})}
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._supervisor = threading.Thread(
            target=self._supervise, name=f"{command}-supervisor", daemon=True
        )

    def __enter__(self) -> Self:
        self._supervisor.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.ask_to_stop()
        child = self._child
        if child is not None:
            try:
                child.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
        self._supervisor.join(STOP_SECONDS)

    def ask_to_stop(self) -> None:
        """End the child's input, and do not start it again; leaving the context waits for it."""
        with self._lock:
            self._stopping.set()
            child = self._child
        if child is not None and child.stdin is not None:
            child.stdin.close()

    def _supervise(self) -> None:
        deaths = 0
        while True:
            with self._lock:
                if self._stopping.is_set():
                    return
                self._child = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    env=self._environment,
                    # A Ctrl-C in the terminal must reach the portal first, not its children.
                    start_new_session=True,
                )
            try:
                self._child.wait(_STEADY_SECONDS)
            except subprocess.TimeoutExpired:
                deaths = 0
                self._child.wait()
            if self._stopping.is_set():
                return
            self._report(f"{self._title} ended unexpectedly; starting it again")
            self._stopping.wait(_PAUSES[min(deaths, len(_PAUSES) - 1)])
            deaths += 1


def call_at_end_of_input(stop: Callable[[], object]) -> None:
    """Call ``stop`` in the running loop when standard input ends: the child's side of the above."""
    loop = asyncio.get_running_loop()

    def watch_input() -> None:
        # Read without sys.stdin, whose lock this thread would still hold when Python exits.
        while os.read(0, 1024):
            pass
        with suppress(RuntimeError):  # the loop has already ended
            loop.call_soon_threadsafe(stop)

    threading.Thread(target=watch_input, name="end-of-input", daemon=True).start()
