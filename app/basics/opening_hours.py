"""Weekly hours in words, such as 'Mon-Fri 8:00-17:00; Sat 9-12'."""

import re
from dataclasses import dataclass
from datetime import datetime

_DAY_NAMES = ("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY")
DAYS = tuple(name[:3] for name in _DAY_NAMES)
_DAY_MINUTES = 24 * 60
_PART = re.compile(
    r"(?P<first>[A-Z]{3,9})(?:\s*-\s*(?P<last>[A-Z]{3,9}))?\s+"
    r"(?P<opens>\d{1,2}(?::\d\d)?)\s*-\s*(?P<closes>\d{1,2}(?::\d\d)?)"
)


@dataclass(frozen=True)
class Span:
    """Hours of some days, in minutes from midnight; they may end on the next day."""

    days: frozenset[int]
    opens: int
    closes: int

    def contains(self, moment: datetime) -> bool:
        """Whether the moment, in the time zone of the hours, is within them."""
        minute = moment.hour * 60 + moment.minute
        if self.opens < self.closes:
            return moment.weekday() in self.days and self.opens <= minute < self.closes
        is_of_yesterday = (moment.weekday() - 1) % len(DAYS) in self.days and minute < self.closes
        return is_of_yesterday or (moment.weekday() in self.days and minute >= self.opens)


def parse_hours(text: str) -> list[Span] | None:
    """Parse weekly hours, or return None for a text that cannot be read."""
    spans = [_parse_part(part.strip()) for part in re.split(r"[;,]", text.upper())]
    return [span for span in spans if span is not None] if all(spans) else None


def is_open(hours: str | None, moment: datetime) -> bool:
    """Whether the moment is within the hours; missing or unreadable hours mean always open."""
    spans = parse_hours(hours) if hours else None
    return spans is None or any(span.contains(moment) for span in spans)


def _parse_part(part: str) -> Span | None:
    match = _PART.fullmatch(part)
    if match is None:
        return None
    days = _parse_days(match["first"], match["last"])
    opens, closes = _parse_time(match["opens"]), _parse_time(match["closes"])
    if days is None or opens is None or closes is None or opens in (closes, _DAY_MINUTES):
        return None
    return Span(days, opens, closes)


def _parse_days(first: str, last: str | None) -> frozenset[int] | None:
    if first == "DAILY" and last is None:
        return frozenset(range(len(DAYS)))
    start, end = _find_day(first), _find_day(last or first)
    if start is None or end is None:
        return None
    return frozenset((start + i) % len(DAYS) for i in range((end - start) % len(DAYS) + 1))


def _find_day(text: str) -> int | None:
    return next((i for i, name in enumerate(_DAY_NAMES) if name.startswith(text)), None)


def _parse_time(text: str) -> int | None:
    """Return minutes from midnight; 24:00 ends a day."""
    hour, _, minute = text.partition(":")
    minutes = int(hour) * 60 + int(minute or 0)
    return minutes if int(minute or 0) < 60 and minutes <= _DAY_MINUTES else None
