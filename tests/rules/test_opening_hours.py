"""Weekly hours in words."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.basics.opening_hours import DAYS, is_open, parse_hours

MONDAY = datetime(2026, 11, 23, tzinfo=UTC)


def build_moment(day: str, hour: int, minute: int = 0) -> datetime:
    """Return a moment of the week."""
    return MONDAY + timedelta(days=DAYS.index(day), hours=hour, minutes=minute)


class TestHours:
    """Whether a moment is within hours."""

    @pytest.mark.parametrize(
        ("hours", "moment", "expected"),
        [
            ("Mon-Fri 8-17", build_moment("MON", 8), True),
            ("Mon-Fri 8-17", build_moment("FRI", 16, 59), True),
            ("Mon-Fri 8-17", build_moment("FRI", 17), False),
            ("Mon-Fri 8-17", build_moment("SAT", 9), False),
            ("monday - friday 8:30-17:00; Sat 9-12", build_moment("SAT", 11, 59), True),
            ("Mon-Fri 8:30-17:00, Sat 9-12", build_moment("MON", 8, 29), False),
            ("Daily 19:00-7:00", build_moment("SUN", 23), True),
            ("Daily 19:00-7:00", build_moment("MON", 6, 59), True),
            ("Daily 19:00-7:00", build_moment("MON", 7), False),
            ("Fri 22-6", build_moment("SAT", 5), True),
            ("Fri 22-6", build_moment("FRI", 5), False),
            ("Sat-Mon 0-24", build_moment("SUN", 23, 59), True),
            ("Sat-Mon 0-24", build_moment("TUE", 0), False),
        ],
    )
    def test_hours_depend_on_day_and_time(
        self, hours: str, moment: datetime, expected: bool
    ) -> None:
        assert is_open(hours, moment) is expected

    @pytest.mark.parametrize(
        "text",
        [
            "after hours",
            "Money 8-17",
            "8-17",
            "Mon",
            "Mon-Fri",
            "Mon 17-17",
            "Mon 8-25",
            "Mon 8:60-9",
            "Mon 8-17;",
        ],
    )
    def test_unreadable_hours_are_invalid_and_always_open(self, text: str) -> None:
        assert parse_hours(text) is None
        assert is_open(text, build_moment("SUN", 3))

    def test_hours_are_optional(self) -> None:
        assert is_open(None, build_moment("SUN", 3))
        assert is_open("", build_moment("SUN", 3))

    @given(st.text(max_size=60))
    def test_parses_any_text_without_an_error(self, text: str) -> None:
        is_open(text, build_moment("WED", 12))
