"""The state that the app's windows share."""

import time
from types import SimpleNamespace

import httpx
import pytest

from tests.desktop.conftest import SIGN_IN
from tests.desktop.host import DesktopHost
from tests.desktop.standins import OTHER_LOGIN, OTHER_USER


class TestPresence:
    """/device/presence."""

    def test_activity_in_one_window_resets_the_idle_time_of_all(
        self, page: httpx.Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = time.monotonic()
        clocks = SimpleNamespace(monotonic=lambda: now, time=lambda: 0)
        monkeypatch.setattr("app.desktop.presence.time", clocks)
        assert page.post("/device/presence").status_code == 204
        now += 90
        assert page.get("/device/presence").json()["idleSeconds"] == 90
        assert page.post("/device/presence").status_code == 204
        assert page.get("/device/presence").json()["idleSeconds"] == 0

    def test_a_sleep_of_the_computer_is_idle_time(
        self, page: httpx.Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = time.time()
        clocks = SimpleNamespace(monotonic=lambda: 0, time=lambda: now)
        monkeypatch.setattr("app.desktop.presence.time", clocks)
        assert page.post("/device/presence").status_code == 204
        now += 8 * 3600
        assert page.get("/device/presence").json()["idleSeconds"] == 8 * 3600

    def test_counts_sign_outs_but_no_renewals(self, signed_in_page: httpx.Client) -> None:
        ended_count = _count_endings(signed_in_page)
        signed_in_page.post("/auth/jwt/refresh")
        assert _count_endings(signed_in_page) == ended_count
        signed_in_page.post("/auth/logout")
        assert _count_endings(signed_in_page) == ended_count + 1

    def test_another_persons_sign_in_ends_the_other_windows_session(
        self, host: DesktopHost, signed_in_page: httpx.Client
    ) -> None:
        ended_count = _count_endings(signed_in_page)
        with host.open_page() as second_window:
            answer = second_window.post("/auth/login", json={**SIGN_IN, "loginId": OTHER_LOGIN})
            assert answer.json()["user"] == OTHER_USER
            # The first window sees the count grow, and signs out. The second starts with it.
            assert _count_endings(signed_in_page) == ended_count + 1
            assert second_window.post("/auth/jwt/refresh").json()["user"] == OTHER_USER
            assert _count_endings(second_window) == ended_count + 1

    def test_repeating_the_password_does_not_end_the_session(
        self, signed_in_page: httpx.Client
    ) -> None:
        ended_count = _count_endings(signed_in_page)
        assert signed_in_page.post("/auth/login", json=SIGN_IN).status_code == 200
        assert _count_endings(signed_in_page) == ended_count

    def test_sign_in_after_a_sign_out_does_not_end_another_session(
        self, signed_in_page: httpx.Client
    ) -> None:
        signed_in_page.post("/auth/logout")
        ended_count = _count_endings(signed_in_page)
        signed_in_page.post("/auth/login", json={**SIGN_IN, "loginId": OTHER_LOGIN})
        assert _count_endings(signed_in_page) == ended_count

    def test_rejects_a_foreign_page(self, host: DesktopHost) -> None:
        assert httpx.get(f"{host.url}/device/presence", timeout=60).status_code in (401, 403)


def _count_endings(window: httpx.Client) -> int:
    return int(window.get("/device/presence").json()["sessionsEnded"])
