"""The only places the house asks what time it is.

Clinical times are the lab's wall clock without an offset (``timestamp(0)`` columns); all other
instants are aware UTC.
"""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo


def utc_now() -> datetime:
    """This instant, aware, UTC."""
    return datetime.now(UTC)


def lab_now(time_zone: str) -> datetime:
    """The lab's wall clock, naive, whole seconds."""
    return datetime.now(ZoneInfo(time_zone)).replace(tzinfo=None, microsecond=0)


def lab_time(instant: datetime, time_zone: str) -> datetime:
    """An aware instant on the lab's wall clock."""
    return instant.astimezone(ZoneInfo(time_zone)).replace(tzinfo=None)


def lab_today(time_zone: str) -> date:
    """The lab's calendar day."""
    return lab_now(time_zone).date()
