"""The current time; the rest of the code reads no clock.

Clinical times are the lab's wall-clock time without an offset (``timestamp(0)`` columns). All other
times are aware UTC.
"""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo


def utc_now() -> datetime:
    """Return the current time as aware UTC."""
    return datetime.now(UTC)


def lab_now(time_zone: str) -> datetime:
    """Return the lab's wall-clock time, naive and in whole seconds."""
    return datetime.now(ZoneInfo(time_zone)).replace(tzinfo=None, microsecond=0)


def lab_time(instant: datetime, time_zone: str) -> datetime:
    """Convert an aware time to the lab's wall-clock time."""
    return instant.astimezone(ZoneInfo(time_zone)).replace(tzinfo=None)


def lab_today(time_zone: str) -> date:
    """Return the current day in the lab."""
    return lab_now(time_zone).date()
