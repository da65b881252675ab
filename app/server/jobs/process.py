"""The worker as a child process of the portal, which is restarted when it dies."""

import subprocess
import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

STOP_SECONDS = 15.0
_PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Seconds before restarting a worker that died; a steady run resets the sequence."""
_STEADY_SECONDS = 30.0


class WorkerProcess:
    """Runs ``command`` as long as the context is open.

    The child stops at the end of its standard input, which it also sees when the portal is killed,
    so it never outlives the portal.
    """

    def __init__(self, command: list[str], report: Callable[[str], None]) -> None:
        self._command = command
        self._report = report
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._supervisor = threading.Thread(
            target=self._supervise, name="worker-supervisor", daemon=True
        )

    @property
    def pid(self) -> int | None:
        """Process id of the running worker, or None."""
        child = self._child
        return child.pid if child and child.poll() is None else None

    def __enter__(self) -> Self:
        self._supervisor.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._stopping.set()
            child = self._child
        if child is not None:
            assert child.stdin is not None
            child.stdin.close()
            try:
                child.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
        self._supervisor.join(STOP_SECONDS)

    def _supervise(self) -> None:
        deaths = 0
        while True:
            with self._lock:
                if self._stopping.is_set():
                    return
                self._child = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    # A Ctrl-C in the terminal must reach the portal first, not the worker.
                    start_new_session=True,
                )
            try:
                self._child.wait(_STEADY_SECONDS)
            except subprocess.TimeoutExpired:
                deaths = 0
                self._child.wait()
            if self._stopping.is_set():
                return
            self._report("The background worker ended unexpectedly; starting it again")
            self._stopping.wait(_PAUSES[min(deaths, len(_PAUSES) - 1)])
            deaths += 1


def build_worker_command() -> list[str]:
    """Build the command line of a worker that stops at the end of its standard input."""
    return [sys.executable, "-m", "app", "work", "--until-end-of-input"]
