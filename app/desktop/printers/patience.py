"""How long a job waits for a printer that does not print."""

import time
from collections.abc import Callable, Iterable

from app.desktop.printers.status import Problem

HELP_SECONDS = 600.0
"""The time for somebody to load a roll; Stop ends the wait earlier."""

_SOLVED_AT_PRINTER: frozenset[Problem] = frozenset(
    {"paper-out", "ribbon-out", "head-open", "paused", "jam", "too-hot", "too-cold"}
)


class Patience:
    """The time that a printer has left: while it asks for help, and while it gives no reason."""

    def __init__(
        self,
        stall_seconds: float,
        help_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        # The limits by whether the printer needs help.
        self._seconds = {False: stall_seconds, True: help_seconds}
        self._clock = clock
        self.restart()

    def restart(self) -> None:
        """Give the printer the whole time again, after progress."""
        self._left = dict(self._seconds)
        self._checked_at = self._clock()

    def has_ended(self, problems: Iterable[Problem]) -> bool:
        """Whether the time is over for a printer with these problems."""
        now = self._clock()
        needs_help = is_solved_at_printer(problems)
        self._left[needs_help] -= now - self._checked_at
        self._checked_at = now
        return self._left[needs_help] <= 0


def is_solved_at_printer(problems: Iterable[Problem]) -> bool:
    """Whether a printer continues when somebody at it has solved its problems."""
    all_problems = set(problems)
    return bool(all_problems) and all_problems <= _SOLVED_AT_PRINTER
