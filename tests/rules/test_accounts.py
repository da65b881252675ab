"""Passwords, and how long wrong ones keep somebody out."""

from datetime import UTC, datetime, timedelta

import pytest

from app.server.accounts.rules import (
    FORGET_AFTER,
    allowed_again_at,
    counts_still,
    password_is_valid,
)

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


class TestPasswords:
    """P 5: at least 8 characters, a digit and a symbol."""

    @pytest.mark.parametrize("password", ["Portal-2026!", "aaaaaa1!", "A1&*^%$#", "1!+-1!+-"])
    def test_are_accepted(self, password: str) -> None:
        assert password_is_valid(password)

    @pytest.mark.parametrize(
        "password",
        [
            *("", "short1!", "no-digit!!", "nosymbol11", "spa ce 1!", "ümlaut11!"),
            *("digits٣٣٣!", "portal-2026?", "portal-2026=!"),
        ],
    )
    def test_are_refused(self, password: str) -> None:
        assert not password_is_valid(password)


class TestWrongPasswords:
    """Each one makes the next sign-in wait longer."""

    @pytest.mark.parametrize(
        ("failures", "wait"),
        [
            (0, timedelta()),
            (2, timedelta()),
            (3, timedelta(seconds=1)),
            (4, timedelta(seconds=2)),
            (9, timedelta(seconds=64)),
            (10, timedelta(minutes=15)),
            (500, timedelta(minutes=15)),
        ],
    )
    def test_delay_the_next_sign_in(self, failures: int, wait: timedelta) -> None:
        assert allowed_again_at(failures, NOW) == NOW + wait

    def test_count_for_an_hour(self) -> None:
        assert timedelta(hours=1) == FORGET_AFTER
        assert counts_still(NOW, NOW + timedelta(minutes=59, seconds=59))
        assert not counts_still(NOW, NOW + timedelta(hours=1))
