"""Detects a process that crashes so often that restarting it is useless."""

import time
from collections import deque

_MAX = 3
_PERIOD_SECONDS = 60.0


class CrashCounter:
    """Counts the crashes of a process, which is restarted after each of them."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=_MAX)

    def count_crash(self) -> bool:
        """Count a crash, and return whether there were too many within a minute."""
        now = time.monotonic()
        self._times.append(now)
        return len(self._times) == _MAX and now - self._times[0] < _PERIOD_SECONDS

    def clear(self) -> None:
        """Forget the crashes so far."""
        self._times.clear()
