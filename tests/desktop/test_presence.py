"""What the app's windows know of each other."""

import time

import httpx

from tests.desktop.host import DesktopHost


class TestPresence:
    """/device/presence."""

    def test_work_in_one_window_is_known_to_all(self, page: httpx.Client) -> None:
        time.sleep(0.2)
        before = page.get("/device/presence").json()["idleSeconds"]
        assert before >= 0.2
        assert page.post("/device/presence").status_code == 204
        assert page.get("/device/presence").json()["idleSeconds"] < before

    def test_a_sign_out_is_counted_and_a_renewed_password_is_none(
        self, signed_in: httpx.Client
    ) -> None:
        ended = signed_in.get("/device/presence").json()["sessionsEnded"]
        signed_in.post("/auth/jwt/refresh")
        assert signed_in.get("/device/presence").json()["sessionsEnded"] == ended
        signed_in.post("/auth/logout")
        assert signed_in.get("/device/presence").json()["sessionsEnded"] == ended + 1

    def test_a_strangers_page_is_not_told(self, host: DesktopHost) -> None:
        assert httpx.get(f"{host.url}/device/presence").status_code in (401, 403)
