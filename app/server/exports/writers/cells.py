"""Cells of exported files: text that no spreadsheet runs, and values of typed columns."""

import re
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

_FORMULA_STARTS = frozenset("=+-@\t\r\n＝＋－＠")
"""Characters with which a spreadsheet's formula may begin, full-width ones included (OWASP)."""
_PLAIN_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_EXACT_DIGITS = 15
"""Digits that a spreadsheet's number keeps."""
_FIRST_SHEET_YEAR = 1901
"""Spreadsheets count days from 1900, and believe that February 1900 had 29 days."""

Value = str | Decimal | date | datetime


def may_be_formula(text: str) -> bool:
    """Whether a spreadsheet may mistake this text for a formula; a plain number is safe."""
    if not text or _PLAIN_NUMBER.fullmatch(text):
        return False
    # Some programs skip blanks before they look for a formula.
    return text[0] in _FORMULA_STARTS or text.lstrip()[:1] in _FORMULA_STARTS


def neutralize_formula(text: str) -> str:
    """Return the text, behind an apostrophe if a spreadsheet might run it."""
    return f"'{text}" if may_be_formula(text) else text


def parse_number(text: str) -> Decimal | None:
    """Return the number of a text, or None if a spreadsheet could not keep all of its digits."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number.is_finite() or len(number.as_tuple().digits) > _EXACT_DIGITS:
        return None
    return number


def parse_day(text: str) -> date | None:
    """Return the day of an ISO text, or None if a spreadsheet does not count so far back."""
    day = date.fromisoformat(text[:10])
    return day if day.year >= _FIRST_SHEET_YEAR else None


def parse_moment(text: str) -> datetime | None:
    """Return the moment of an ISO text, or None if a spreadsheet does not count so far back."""
    moment = datetime.fromisoformat(text)
    return moment if moment.year >= _FIRST_SHEET_YEAR else None


def format_moment(text: str) -> str:
    """Format a moment for text files; midnight means that the time is not known (DECISIONS)."""
    day, _, time = text.partition("T")
    return day if time in ("", "00:00:00") else f"{day} {time[:5]}"
