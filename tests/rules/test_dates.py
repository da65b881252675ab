"""Parsing days in requests, and formatting times for people."""

from datetime import date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.basics.dates import format_date_time, format_timestamp, parse_day


@given(st.dates())
def test_reads_iso_and_american_dates(day: date) -> None:
    assert parse_day(day.isoformat()) == day
    assert parse_day(f" {day.month:02}/{day.day:02}/{day.year:04} ") == day


@given(st.dates(), st.times(), st.sampled_from(["T", " "]), st.sampled_from(["", "Z", "+02:00"]))
def test_a_time_after_the_day_is_ignored(day: date, at: time, gap: str, zone: str) -> None:
    assert parse_day(f"{day.isoformat()}{gap}{at.isoformat()}{zone}") == day


@pytest.mark.parametrize(
    "text",
    [
        "9999-12-31T99",
        "9999-12-31T",
        "9999-12-31x",
        "2026-01-01 25:00",
        "2026-01-01T10:00 and more",
        "2026-W01-1",
        "20260101",
        "2026-02-30",
        "13/01/2026",
        "01/02/26",
        "٢٠٢٦-٠١-٠١",
        "",
    ],
)
def test_rejects_text_that_is_not_a_day(text: str) -> None:
    with pytest.raises(ValueError):
        parse_day(text)


@pytest.mark.parametrize(
    ("iso", "text"),
    [
        ("2026-03-09T00:00", "03/09/2026 12:00 AM"),
        ("2026-03-09T09:30", "03/09/2026 09:30 AM"),
        ("2026-03-09T12:00", "03/09/2026 12:00 PM"),
        ("2026-03-09T23:59", "03/09/2026 11:59 PM"),
    ],
)
def test_formats_times_on_the_twelve_hour_clock(iso: str, text: str) -> None:
    moment = datetime.fromisoformat(iso)
    assert format_timestamp(moment) == text
    assert format_date_time(moment) == (text if moment.time() != time() else "03/09/2026")
