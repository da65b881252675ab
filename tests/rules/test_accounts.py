"""Rules for passwords and failed sign-ins."""

from datetime import UTC, datetime, timedelta

import pytest

from app.server.accounts.rules import (
    FAILURES_EXPIRE_AFTER,
    are_failures_current,
    compute_next_attempt_at,
    is_valid_password,
)

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


class TestPasswords:
    """P 5: at least 8 characters, a digit and a symbol."""

    @pytest.mark.parametrize("password", ["Portal-2026!", "aaaaaa1!", "A1&*^%$#", "1!+-1!+-"])
    def test_accepts_valid_passwords(self, password: str) -> None:
        assert is_valid_password(password)

    @pytest.mark.parametrize(
        "password",
        [
            "",
            "short1!",
            "no-digit!!",
            "nosymbol11",
            "spa ce 1!",
            "ümlaut11!",
            "digits٣٣٣!",
            "portal-2026?",
            "portal-2026=!",
        ],
    )
    def test_rejects_invalid_passwords(self, password: str) -> None:
        assert not is_valid_password(password)


class TestWrongPasswords:
    """Failed sign-ins."""

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
        assert compute_next_attempt_at(failures, NOW) == NOW + wait

    def test_count_for_an_hour(self) -> None:
        assert timedelta(hours=1) == FAILURES_EXPIRE_AFTER
        assert are_failures_current(NOW, NOW + timedelta(minutes=59, seconds=59))
        assert not are_failures_current(NOW, NOW + timedelta(hours=1))
