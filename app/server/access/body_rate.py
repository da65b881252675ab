"""The rate at which one person's large bodies are read (ADR 54)."""

from collections.abc import Callable


class BodyRate:
    """Lets each person send ``burst`` bytes at once, and ``per_second`` bytes after that.

    Args:
        burst: what a person may send without a pause after some rest.
        per_second: how fast that allowance returns, and so the rate of a person who sends more.
        read_clock: the time in seconds.
    """

    def __init__(self, burst: int, per_second: int, read_clock: Callable[[], float]) -> None:
        self._burst_seconds = burst / per_second
        self._per_second = per_second
        self._read_clock = read_clock
        # When each person's allowance will be complete again.
        self._complete_at: dict[str, float] = {}

    def spend(self, person: str, count: int) -> float:
        """Note that the person has sent ``count`` bytes; return the seconds to pause."""
        now = self._read_clock()
        if person not in self._complete_at:
            self._remove_complete_allowances(now)
        complete_at = max(self._complete_at.get(person, now), now) + count / self._per_second
        self._complete_at[person] = complete_at
        return max(0.0, complete_at - now - self._burst_seconds)

    def _remove_complete_allowances(self, now: float) -> None:
        self._complete_at = {name: at for name, at in self._complete_at.items() if at > now}
