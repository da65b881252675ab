"""Processes of the portal that tests may kill, started faster than by a command.

Importing the portal takes longer than most of what a process does in a test. So one process imports
it, and the others begin as copies of it, each with its own memory, connections, and end.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["app.server.main", "app.server.worker"])


class CopiedProcess:
    """A process that runs a function with these arguments; its output goes to the log.

    Its standard input ends with ``close_input`` or with the tests.
    """

    def __init__(self, log: Path, target: Callable[..., object], *arguments: Any) -> None:
        reader, self._writer = _CONTEXT.Pipe(duplex=False)
        self._process = _CONTEXT.Process(target=_run, args=(reader, log, target, *arguments))
        self._process.start()
        reader.close()

    def close_input(self) -> None:
        """End the standard input."""
        self._writer.close()

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal."""
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def kill(self) -> None:
        """Kill the process (SIGKILL); it may have ended."""
        self._process.kill()

    def wait(self, seconds: float | None = None) -> int:
        """Wait until the process has ended, and return its exit code.

        Raises:
            TimeoutError: it still runs.
        """
        self._process.join(seconds)
        if self._process.exitcode is None:
            raise TimeoutError
        return self._process.exitcode


def _run(
    reader: "multiprocessing.connection.Connection[Any, Any]",
    log: Path,
    target: Callable[..., object],
    *arguments: Any,
) -> None:
    os.dup2(reader.fileno(), 0)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(output, 1)
    os.dup2(output, 2)
    target(*arguments)
