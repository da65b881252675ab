"""The heartbeat of a child process, by which the portal notices that it hangs (ADR 79).

A child writes a byte into a pipe every second, from the loop that answers requests or runs jobs.
"""

import asyncio
import os
import select
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

HEARTBEAT = "--heartbeat"
"""The option of commands that send beats; its value is the pipe's descriptor."""
_BEAT_SECONDS = 1.0
_START_SECONDS = 300.0
"""How long a child may take to its first beat; a busy machine needs a minute for the imports."""


class Heartbeat:
    """The parent's end of a child's heartbeat.

    Time is counted in turns of the parent, of at least a second each. A machine that slept, or that
    has no time for the parent, thus does not make a child look silent.

    Args:
        hang_seconds: the longest silence after the first beat.
    """

    def __init__(self, hang_seconds: float) -> None:
        self._hang_seconds = hang_seconds
        self._pipe: int | None = None

    @contextmanager
    def open_sender(self) -> Iterator[Sequence[int]]:
        """Yield the descriptor that a child inherits; none on Windows, which cannot pass one."""
        if os.name != "posix":
            yield ()
            return
        self._pipe, sender = os.pipe()
        try:
            yield (sender,)
        finally:
            os.close(sender)

    def wait_for_end(self, child: subprocess.Popen[bytes]) -> bool:
        """Wait until the child ends or hangs, and return whether it is still alive."""
        if self._pipe is None:
            child.wait()
            return False
        try:
            return self._wait_for_silence(self._pipe)
        finally:
            os.close(self._pipe)

    def _wait_for_silence(self, pipe: int) -> bool:
        silent_turns, limit = 0, _START_SECONDS / _BEAT_SECONDS
        while silent_turns < limit:
            if not select.select([pipe], [], [], _BEAT_SECONDS)[0]:
                silent_turns += 1
            elif os.read(pipe, 1024):
                silent_turns, limit = 0, self._hang_seconds / _BEAT_SECONDS
            else:
                return False
        return True


def send_beats(descriptor: int | None) -> None:
    """Send a beat every second for as long as the running loop takes turns."""
    if descriptor is None:
        return
    loop = asyncio.get_running_loop()
    os.set_blocking(descriptor, False)

    def send_beat() -> None:
        with suppress(OSError):  # the parent hangs or has ended
            os.write(descriptor, b".")
        loop.call_later(_BEAT_SECONDS, send_beat)

    send_beat()
