"""The current time; the rest of the code reads no clock.

Clinical times are the lab's wall-clock time without an offset (``timestamp(0)`` columns). All other
times are aware UTC.
"""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo


def get_utc_now() -> datetime:
    """Return the current time as aware UTC."""
    return datetime.now(UTC)


def get_lab_now(time_zone: str) -> datetime:
    """Return the lab's wall-clock time, naive and in whole seconds."""
    return datetime.now(ZoneInfo(time_zone)).replace(tzinfo=None, microsecond=0)


def to_lab_time(instant: datetime, time_zone: str) -> datetime:
    """Convert an aware time to the lab's wall-clock time, naive."""
    return instant.astimezone(ZoneInfo(time_zone)).replace(tzinfo=None)


def place_on_lab_clock(time: datetime, time_zone: str) -> datetime:
    """Convert a received time to the lab's clock; a time without an offset is already on it."""
    return time if time.tzinfo is None else to_lab_time(time, time_zone)


def get_lab_today(time_zone: str) -> date:
    """Return the current day in the lab."""
    return get_lab_now(time_zone).date()
