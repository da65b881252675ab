"""When an alert is tried again."""

from datetime import timedelta

_FIRST_WAIT = timedelta(seconds=30)
_LONGEST_WAIT = timedelta(minutes=10)


def compute_wait(attempts: int) -> timedelta:
    """Return the wait after this many failed attempts: 30 seconds, then doubling to 10 minutes."""
    doublings = min(max(attempts - 1, 0), 10)
    return min(_LONGEST_WAIT, _FIRST_WAIT * (1 << doublings))
