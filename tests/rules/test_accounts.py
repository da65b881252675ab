"""Rules for passwords and failed sign-ins."""

from datetime import UTC, datetime, timedelta

import pytest

from app.contract.limits import ACCESS_TOKEN_SECONDS, IDLE_SECONDS, IDLE_WARNING_SECONDS
from app.server.accounts.guessable import build_own_words, contains_any, is_common
from app.server.accounts.rules import (
    FAILURES_EXPIRE_AFTER,
    are_failures_current,
    compute_next_attempt_at,
    describe_device,
    is_session_idle,
    is_valid_password,
)
from app.server.seeding import DEMO_PASSWORD

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


class TestGuessablePasswords:
    """Passwords that follow P 5, but that attackers try first."""

    @pytest.mark.parametrize(
        "password",
        [
            "p@ssw0rd",
            "Password1!",
            "P@ssw0rd-2026",
            "Pa$$w0rd!23",
            "Summer-2026!",
            "@dmin123!",
            "12345678!",
            "!Welcome1",
            "Qwerty123!",
            "1qaz2wsx!",
            "aaaaaa1!",
            DEMO_PASSWORD,
        ],
    )
    def test_finds_common_passwords(self, password: str) -> None:
        assert is_valid_password(password) and is_common(password)

    @pytest.mark.parametrize(
        "password",
        [
            "Correct-Horse-1!",
            "A1&*^%$#",
            "1!+-1!+-",
            "summer+9!winter",
            "a-1!" * 20,
        ],
    )
    def test_accepts_uncommon_passwords(self, password: str) -> None:
        assert not is_common(password)

    def test_own_words_include_names_and_their_parts(self) -> None:
        words = build_own_words("anna.smith", "O\u2019Neill-Müller", "Lee", "North Lab", None)
        assert words == {
            "anna",
            "smith",
            "annasmith",
            "neill",
            "muller",
            "oneillmuller",
            "north",
            "northlab",
        }

    @pytest.mark.parametrize(
        "password", ["Smith-2026!", "my5m1thy!", "xx-SMITH-9", "North-Lab-1", "n0rth+l@b"]
    )
    def test_finds_passwords_with_own_words(self, password: str) -> None:
        assert contains_any(password, build_own_words("Smith", "North Lab"))

    def test_accepts_passwords_with_other_words(self) -> None:
        assert not contains_any("Correct-Horse-1!", build_own_words("Smith", "North Lab"))


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
    def test_wrong_passwords_delay_the_next_sign_in(self, failures: int, wait: timedelta) -> None:
        assert compute_next_attempt_at(failures, NOW) == NOW + wait

    def test_wrong_passwords_count_for_an_hour(self) -> None:
        assert timedelta(hours=1) == FAILURES_EXPIRE_AFTER
        assert are_failures_current(NOW, NOW + timedelta(minutes=59, seconds=59))
        assert not are_failures_current(NOW, NOW + timedelta(hours=1))


class TestSessions:
    """Sessions and their devices."""

    def test_session_is_idle_after_idle_time_warning_and_token_lifetime(self) -> None:
        idle_time = timedelta(seconds=IDLE_SECONDS + IDLE_WARNING_SECONDS + ACCESS_TOKEN_SECONDS)
        assert not is_session_idle(NOW - idle_time, NOW)
        assert is_session_idle(NOW - idle_time - timedelta(microseconds=1), NOW)

    @pytest.mark.parametrize(
        ("agent", "device"),
        [
            ("Mozilla/5.0 (Windows NT 10.0) Chrome/140 Safari/537 Edg/140", "Edge on Windows"),
            ("Mozilla/5.0 (Windows NT 10.0) Chrome/140 Safari/537 OPR/1", "Opera on Windows"),
            ("Mozilla/5.0 (X11; Linux x86_64) Gecko Firefox/140.0", "Firefox on Linux"),
            ("Mozilla/5.0 (X11; CrOS x86_64) Chrome/140 Safari/537", "Chrome on ChromeOS"),
            ("Mozilla/5.0 (Linux; Android 15) Chrome/140 Safari/537", "Chrome on Android"),
            ("Mozilla/5.0 (iPhone; like Mac OS X) Version/18 Safari/604", "Safari on iPhone"),
            ("Mozilla/5.0 (iPad; like Mac OS X) Version/18 Safari/604", "Safari on iPad"),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X) Safari/604", "Safari on macOS"),
            ("Mozilla/5.0 (X11; Linux) QtWebEngine/6 Chrome/1 Safari/1", "Desktop app on Linux"),
            ("curl/8.0", "Another program"),
            ("", "Another program"),
        ],
    )
    def test_session_names_its_device(self, agent: str, device: str) -> None:
        assert describe_device(agent) == device
