"""The lab's clock."""

from datetime import UTC, datetime

from app.basics.clock import get_lab_today, to_lab_time


def test_today_is_the_day_in_the_lab() -> None:
    # There are 25 hours between these zones, so their days differ at every moment.
    assert get_lab_today("Pacific/Kiritimati") > get_lab_today("Pacific/Niue")


def test_converts_an_instant_to_the_labs_wall_clock() -> None:
    instant = datetime(2026, 11, 22, 5, 30, tzinfo=UTC)
    assert to_lab_time(instant, "America/Chicago").isoformat() == "2026-11-21T23:30:00"
