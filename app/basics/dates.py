"""Parses the days in requests, and formats dates with times for people."""

import re
from datetime import date, datetime, time

_ISO = re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})(?:[T ](?P<time>.+))?")
_AMERICAN = re.compile(
    r"(?P<month>[0-9]{1,2})/(?P<day>[0-9]{1,2})/(?P<year>[0-9]{4})(?:[T ](?P<time>.+))?"
)


def parse_day(text: str) -> date:
    """Parse ``yyyy-MM-dd`` or ``MM/DD/YYYY``; a time after the day is checked and ignored.

    Raises:
        ValueError: the text is not a day, or what follows is not a time.
    """
    match = (_AMERICAN if "/" in text else _ISO).fullmatch(text.strip())
    if match is None:
        raise ValueError("not a day")
    if match["time"] is not None:
        time.fromisoformat(match["time"])
    return date(int(match["year"]), int(match["month"]), int(match["day"]))


def format_timestamp(moment: datetime) -> str:
    """Format a time that the portal recorded, even midnight: '11/21/2026 08:30 AM' (R 9)."""
    return f"{moment:%m/%d/%Y %I:%M %p}"


def format_date_time(moment: datetime | date | None) -> str:
    """Format as '11/21/2026 08:30 AM'; midnight means an unknown time and is left out."""
    if moment is None:
        return ""
    if isinstance(moment, datetime) and moment.time() != time():
        return format_timestamp(moment)
    return f"{moment:%m/%d/%Y}"
