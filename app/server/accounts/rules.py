"""Rules of sign-in."""

from datetime import datetime, timedelta

from app.contract.limits import (
    ACCESS_TOKEN_SECONDS,
    IDLE_SECONDS,
    IDLE_WARNING_SECONDS,
    PASSWORD_MIN_LENGTH,
    PASSWORD_SYMBOLS,
)

_FAILURES_WITHOUT_DELAY = 3
_FAILURES_UNTIL_LOCK = 10
_LOCK_DURATION = timedelta(minutes=15)
_IDLE_AFTER = timedelta(seconds=IDLE_SECONDS + IDLE_WARNING_SECONDS + ACCESS_TOKEN_SECONDS)
"""An open page renews its token within the token's life, and signs out after the idle time."""
_BROWSERS = (
    ("QtWebEngine/", "Desktop app"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("Windows", "Windows"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)
FAILURES_EXPIRE_AFTER = timedelta(hours=1)
"""Older failures no longer count."""


def compute_next_attempt_at(failures: int, last_failure_at: datetime) -> datetime:
    """Return the time of the next allowed attempt: immediate, then delayed, then after a lock."""
    if failures < _FAILURES_WITHOUT_DELAY:
        return last_failure_at
    if failures >= _FAILURES_UNTIL_LOCK:
        return last_failure_at + _LOCK_DURATION
    return last_failure_at + timedelta(seconds=2.0 ** (failures - _FAILURES_WITHOUT_DELAY))


def are_failures_current(last_failure_at: datetime, now: datetime) -> bool:
    """Whether earlier failures still count."""
    return now - last_failure_at < FAILURES_EXPIRE_AFTER


def is_valid_password(password: str) -> bool:
    """Whether a password has at least 8 allowed characters, with a digit and a symbol (P 5)."""
    return (
        len(password) >= PASSWORD_MIN_LENGTH
        and any(c.isascii() and c.isdigit() for c in password)
        and any(c in PASSWORD_SYMBOLS for c in password)
        and all((c.isascii() and c.isalnum()) or c in PASSWORD_SYMBOLS for c in password)
    )


def is_session_idle(last_used_at: datetime, now: datetime) -> bool:
    """Whether a session's page was closed or asleep for longer than the idle time (P 4)."""
    return now - last_used_at > _IDLE_AFTER


def describe_device(user_agent: str) -> str:
    """Describe the device of a session in words: 'Chrome on Windows'."""
    browser = next((name for token, name in _BROWSERS if token in user_agent), "Another program")
    system = next((name for token, name in _SYSTEMS if token in user_agent), None)
    return browser if system is None else f"{browser} on {system}"
