"""When an alert is tried again."""

from datetime import timedelta

from app.server.transmissions.rules import compute_doubled_wait

_FIRST_WAIT = timedelta(seconds=30)
_LONGEST_WAIT = timedelta(minutes=10)


def compute_wait(attempts: int) -> timedelta:
    """Return the wait after this many failed attempts: 30 seconds, then doubling to 10 minutes."""
    return compute_doubled_wait(attempts, _FIRST_WAIT, _LONGEST_WAIT)
