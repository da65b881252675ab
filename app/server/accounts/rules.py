"""Decisions of sign-in, free of clock and database."""

from datetime import datetime, timedelta

from app.contract.limits import PASSWORD_MIN_LENGTH, PASSWORD_SYMBOLS

_FREE_FAILURES = 3
_LOCK_FAILURES = 10
_LOCK = timedelta(minutes=15)
FORGET_AFTER = timedelta(hours=1)
"""So long after the last failure they count no more."""


def allowed_again_at(failures: int, last_failure_at: datetime) -> datetime:
    """When the next sign-in may be tried: at once at first, then slower, then after a lock."""
    if failures < _FREE_FAILURES:
        return last_failure_at
    if failures >= _LOCK_FAILURES:
        return last_failure_at + _LOCK
    return last_failure_at + timedelta(seconds=2.0 ** (failures - _FREE_FAILURES))


def counts_still(last_failure_at: datetime, now: datetime) -> bool:
    """Whether earlier failures still count."""
    return now - last_failure_at < FORGET_AFTER


def password_is_valid(password: str) -> bool:
    """P 5: at least 8 characters, a digit, a symbol, and nothing but letters, digits, symbols."""
    return (
        len(password) >= PASSWORD_MIN_LENGTH
        and any(c.isascii() and c.isdigit() for c in password)
        and any(c in PASSWORD_SYMBOLS for c in password)
        and all((c.isascii() and c.isalnum()) or c in PASSWORD_SYMBOLS for c in password)
    )
