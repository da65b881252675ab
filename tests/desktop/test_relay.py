"""The relay: data calls of a window to the portal and back."""

import asyncio
import base64
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from app.basics.version import VERSION
from app.contract import messages
from app.desktop.relay.session import get_token_lifetime
from tests.desktop.conftest import SIGN_IN
from tests.desktop.host import DesktopHost, run_sidecar
from tests.desktop.standins import USER, StandInPortal, serve_app, wait_for
from tests.standins.ports import bind_port, reserve_port


def get_sent_header(portal: StandInPortal, name: str) -> list[str]:
    """Return the values of a header in the portal's last call."""
    headers = portal.calls[-1]["headers"]
    assert isinstance(headers, list)
    return [value for key, value in headers if key == name]


def get_renewal_route(portal: StandInPortal) -> Any:
    """Return the portal's route that renews a session."""
    routes: list[Any] = portal.app.routes
    return next(route for route in routes if route.path == "/auth/jwt/refresh")


@contextmanager
def hold_renewal(portal: StandInPortal) -> Iterator[threading.Event]:
    """Hold every renewal until the end; the yielded event is set while one waits."""
    is_waiting, is_over = threading.Event(), threading.Event()
    route = get_renewal_route(portal)
    answer = route.app

    async def hold(scope: Scope, receive: Receive, send: Send) -> None:
        is_waiting.set()
        await asyncio.to_thread(is_over.wait, 60)
        await answer(scope, receive, send)

    route.app = hold
    try:
        yield is_waiting
    finally:
        is_over.set()
        route.app = answer


class TestSignIn:
    def test_returns_the_profile_without_tokens(
        self, page: httpx.Client, portal: StandInPortal
    ) -> None:
        answer = page.post("/auth/login", json=SIGN_IN, headers={"X-Refresh-Transport": "cookie"})
        assert answer.json() == {"token": None, "user": USER}
        assert "set-cookie" not in answer.headers
        assert not get_sent_header(portal, "x-refresh-transport")
        for token in portal.access_tokens | portal.refresh_tokens:
            assert token not in answer.text

    def test_relays_the_answer_to_a_wrong_password(
        self, page: httpx.Client, portal: StandInPortal
    ) -> None:
        answer = page.post("/auth/login", json={**SIGN_IN, "password": "wrong"})
        assert answer.status_code == 404
        assert answer.json()["detail"] == "Incorrect email and/or password."
        assert portal.refresh_count == 0

    def test_adds_the_credential_to_later_calls(
        self, signed_in_page: httpx.Client, portal: StandInPortal
    ) -> None:
        assert signed_in_page.get("/api/v2/orders/1").status_code == 200
        assert get_sent_header(portal, "authorization")[0].startswith("JWT ")

    def test_ends_the_previous_session_on_a_new_sign_in(
        self, signed_in_page: httpx.Client, portal: StandInPortal
    ) -> None:
        before = next(iter(portal.refresh_tokens))
        signed_in_page.post("/auth/login", json=SIGN_IN)
        wait_for(lambda: portal.ended_sessions == [before])
        assert signed_in_page.get("/api/v2/x").status_code == 200

    def test_keeps_the_session_after_a_failed_reauthentication(
        self, signed_in_page: httpx.Client
    ) -> None:
        signed_in_page.post("/auth/login", json={**SIGN_IN, "password": "wrong"})
        assert signed_in_page.get("/api/v2/x").status_code == 200

    def test_forgets_tokens_here_and_at_the_portal_on_sign_out(
        self, signed_in_page: httpx.Client, portal: StandInPortal
    ) -> None:
        token = next(iter(portal.refresh_tokens))
        assert signed_in_page.post("/auth/logout").status_code == 204
        assert portal.ended_sessions == [token]
        assert signed_in_page.get("/api/v2/x").status_code == 401
        assert signed_in_page.post("/auth/jwt/refresh").status_code == 401


class TestRenewal:
    def test_renews_an_expired_token_and_repeats_the_call(
        self, signed_in_page: httpx.Client, portal: StandInPortal
    ) -> None:
        portal.access_tokens.clear()
        answer = signed_in_page.post("/api/v2/patients", json={"clientId": 1})
        assert answer.status_code == 200
        assert answer.json()["body"] == '{"clientId":1}'
        assert portal.refresh_count == 1

    def test_renews_once_for_concurrent_calls(
        self, signed_in_page: httpx.Client, host: DesktopHost, portal: StandInPortal
    ) -> None:
        portal.access_tokens.clear()
        portal.refresh_delay = 0.2

        def call(_: int) -> int:
            with host.open_page() as page:
                return page.get("/api/v2/x").status_code

        with ThreadPoolExecutor(12) as pool:
            assert set(pool.map(call, range(12))) == {200}
        assert portal.refresh_count == 1

    def test_returns_no_token_to_the_pages_refresh(
        self, signed_in_page: httpx.Client, portal: StandInPortal
    ) -> None:
        answer = signed_in_page.post("/auth/jwt/refresh", json={})
        assert answer.json() == {"token": None, "user": USER}
        assert portal.refresh_count == 1

    def test_renews_an_expiring_token_before_an_upload(
        self, page: httpx.Client, portal: StandInPortal
    ) -> None:
        portal.token_seconds = 5
        page.post("/auth/login", json=SIGN_IN)
        portal.token_seconds = 300
        big_body = b"s" * (3 * 1024 * 1024)
        answer = page.post("/api/upload", content=big_body)
        assert answer.json()["length"] == len(big_body)
        assert portal.refresh_count == 1

    def test_does_not_repeat_a_streamed_upload(
        self, signed_in_page: httpx.Client, portal: StandInPortal
    ) -> None:
        portal.access_tokens.clear()
        big_body = b"s" * (3 * 1024 * 1024)
        assert signed_in_page.post("/api/upload", content=big_body).status_code == 401
        assert signed_in_page.post("/api/upload", content=big_body).json()["length"] == len(
            big_body
        )

    def test_tells_the_page_that_the_session_is_over(
        self, signed_in_page: httpx.Client, portal: StandInPortal
    ) -> None:
        portal.access_tokens.clear()
        portal.refresh_tokens.clear()
        assert signed_in_page.get("/api/v2/x").status_code == 401
        answer = signed_in_page.post("/auth/jwt/refresh")
        assert answer.status_code == 401
        assert answer.json()["detail"] == messages.SESSION_EXPIRED

    def test_discards_a_renewal_overtaken_by_a_sign_out(
        self, signed_in_page: httpx.Client, host: DesktopHost, portal: StandInPortal
    ) -> None:
        portal.access_tokens.clear()
        with ThreadPoolExecutor(1) as pool, hold_renewal(portal) as is_waiting:
            pending = pool.submit(signed_in_page.get, "/api/v2/x")
            assert is_waiting.wait(60)
            with host.open_page() as window:
                window.post("/auth/logout")
            assert not pending.done()
        assert pending.result().status_code == 401
        assert signed_in_page.get("/api/v2/x").status_code == 401

    def test_answers_our_screens_without_an_error_if_nobody_is_signed_in(
        self, page: httpx.Client, portal: StandInPortal
    ) -> None:
        ours = {"X-Refresh-Transport": "cookie"}
        answer = page.post("/auth/jwt/refresh", headers=ours)
        assert (answer.status_code, answer.content) == (204, b"")
        assert page.post("/auth/jwt/refresh").status_code == 401
        assert portal.refresh_count == 0
        page.post("/auth/login", json=SIGN_IN)
        assert page.post("/auth/jwt/refresh", headers=ours).json()["user"] == USER

    def test_computes_token_lifetime_without_the_local_clock(self) -> None:
        claims = base64.urlsafe_b64encode(json.dumps({"iat": 5, "exp": 95}).encode()).decode()
        assert get_token_lifetime(f"a.{claims}.b") == 90
        assert get_token_lifetime("no token") == 300


class TestForwarding:
    def test_forwards_method_path_query_and_body_unchanged(
        self, signed_in_page: httpx.Client
    ) -> None:
        answer = signed_in_page.request(
            "PUT",
            "/api/v2/lists;kind=a/%C3%84%20b?sort=-id,lastName&column.x=%2B1&ids=1&ids=2",
            content=b'{"a": "\xc3\x9c"}',
            headers={"Content-Type": "application/json"},
        ).json()
        assert answer["method"] == "PUT"
        assert answer["path"] == "/api/v2/lists;kind=a/%C3%84%20b"
        assert answer["query"] == "sort=-id,lastName&column.x=%2B1&ids=1&ids=2"
        assert answer["body"].encode("latin-1") == b'{"a": "\xc3\x9c"}'

    def test_forwards_versions_and_keys_in_both_directions(
        self, signed_in_page: httpx.Client, portal: StandInPortal
    ) -> None:
        answer = signed_in_page.post(
            "/api/v2/x", json={}, headers={"If-Match": '"6"', "Idempotency-Key": "k-1"}
        )
        assert get_sent_header(portal, "if-match") == ['"6"']
        assert get_sent_header(portal, "idempotency-key") == ["k-1"]
        assert answer.headers["etag"] == '"7"'
        assert answer.headers["x-passed-on"] == "yes"

    def test_does_not_forward_cookies_and_browser_headers(
        self, signed_in_page: httpx.Client, portal: StandInPortal
    ) -> None:
        answer = signed_in_page.get(
            "/api/v2/x",
            headers={
                "Authorization": "JWT from-the-page",
                "Connection": "keep-alive, X-Hop",
                "X-Hop": "1",
                "X-Forwarded-For": "10.0.0.1",
                "Referer": "http://127.0.0.1/secured/patient;lastName=X",
            },
        )
        headers = portal.calls[-1]["headers"]
        assert isinstance(headers, list)
        names = [name for name, _ in headers]
        for name in ("cookie", "origin", "referer", "sec-fetch-site", "x-hop", "x-forwarded-for"):
            assert name not in names
        assert get_sent_header(portal, "authorization") != ["JWT from-the-page"]
        assert get_sent_header(portal, "host")[0] != httpx.URL(str(answer.url)).netloc.decode()
        assert "set-cookie" not in answer.headers
        assert "refresh" not in answer.headers

    @pytest.mark.parametrize("path", ["/api/away", "/api/sideways"])
    def test_does_not_follow_redirects(self, signed_in_page: httpx.Client, path: str) -> None:
        answer = signed_in_page.get(path)
        assert answer.status_code == 503
        assert "location" not in answer.headers
        assert "elsewhere.invalid" not in answer.text

    @pytest.mark.parametrize(
        "path",
        [
            "/api/../metrics",
            "/api/%2e%2e/metrics",
            "/api/.%2E/metrics",
            "/api//metrics",
            "/api/..%2fmetrics",
            "/api/%5c..%5cmetrics",
            "/api/x/..;a=b/y",
        ],
    )
    def test_rejects_paths_that_leave_their_prefix(
        self, host: DesktopHost, signed_in_page: httpx.Client, portal: StandInPortal, path: str
    ) -> None:
        portal.calls.clear()
        with socket.create_connection(("127.0.0.1", host.port)) as wire:
            lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{host.port}", "Connection: close"]
            lines += [f"{name}: {value}" for name, value in host.headers.items()]
            wire.sendall("\r\n".join([*lines, "", ""]).encode())
            answer = b"".join(iter(lambda: wire.recv(65536), b""))
        assert answer.startswith(b"HTTP/1.1 404")
        assert portal.calls == []

    @pytest.mark.parametrize("path", ["/metrics", "/health/ready", "/fhir/Patient"])
    def test_does_not_relay_other_paths_of_the_portal(
        self, page: httpx.Client, portal: StandInPortal, path: str
    ) -> None:
        assert "<title>Sign in</title>" in page.get(path).text
        assert portal.calls == []


class TestStreaming:
    def test_streams_events_until_the_page_closes(
        self, signed_in_page: httpx.Client, portal: StandInPortal
    ) -> None:
        with signed_in_page.stream("GET", "/api/events") as answer:
            lines = answer.iter_lines()
            assert next(lines) == "data: 0"
            assert portal.streams_open == 1
        wait_for(lambda: portal.streams_open == 0)

    def test_relays_a_large_answer_completely(self, signed_in_page: httpx.Client) -> None:
        content = signed_in_page.get("/api/large").content
        assert len(content) == 64 * 65_536 and set(content) == {0x5A}

    def test_relays_a_large_body_without_a_length(self, signed_in_page: httpx.Client) -> None:
        def send_pieces():
            for _ in range(32):
                yield b"p" * 65_536

        answer = signed_in_page.post("/api/upload", content=send_pieces())
        assert answer.json()["length"] == 32 * 65_536

    def test_cuts_the_connection_of_a_broken_long_answer(
        self, signed_in_page: httpx.Client
    ) -> None:
        with pytest.raises(httpx.RemoteProtocolError):
            signed_in_page.get("/api/broken")

    def test_answers_a_problem_for_a_broken_short_answer(
        self, signed_in_page: httpx.Client
    ) -> None:
        answer = signed_in_page.get("/api/broken?length=5000")
        assert answer.status_code == 503
        assert answer.json()["code"] == "portal_unreachable"


class TestPortalOutOfReach:
    def test_answers_a_problem_with_the_contracts_message(
        self, tmp_path: Path, ui_dir: Path
    ) -> None:
        with (
            reserve_port() as silent,
            run_sidecar(f"http://127.0.0.1:{silent}", tmp_path / "c", ui_dir) as host,
            host.open_page() as page,
        ):
            for method, path in (("GET", "/api/v2/x"), ("POST", "/auth/login")):
                answer = page.request(method, path, content=b"{}")
                assert answer.status_code == 503
                assert answer.json()["code"] == "portal_unreachable"
                assert answer.json()["detail"] == messages.PORTAL_UNREACHABLE
            assert page.post("/auth/logout").status_code == 204
            answer = page.get("/capabilities").json()
            assert answer["lab"] is None

    def test_works_again_when_the_portal_is_back(
        self, tmp_path: Path, ui_dir: Path, portal: StandInPortal
    ) -> None:
        with (
            reserve_port() as port,
            run_sidecar(f"http://127.0.0.1:{port}", tmp_path / "c", ui_dir) as host,
            host.open_page() as page,
        ):
            with serve_app(portal.app, bind_port(port)):
                page.post("/auth/login", json=SIGN_IN)
            assert page.get("/api/v2/x").status_code == 503
            with serve_app(portal.app, bind_port(port)):
                assert page.get("/api/v2/x").status_code == 200

    def test_keeps_the_session_if_a_refresh_gets_no_answer(
        self, signed_in_page: httpx.Client, portal: StandInPortal
    ) -> None:
        tokens = set(portal.refresh_tokens)
        portal.access_tokens.clear()
        get_renewal_route(portal).app = _answer_500
        assert signed_in_page.get("/api/v2/x").status_code == 503
        assert portal.refresh_tokens == tokens


async def _answer_500(scope, receive, send):
    await send({"type": "http.response.start", "status": 500, "headers": []})
    await send({"type": "http.response.body", "body": b""})


class TestCapabilities:
    def test_allow_names_in_titles_by_a_setting(
        self, tmp_path: Path, ui_dir: Path, portal_url: str
    ) -> None:
        with (
            run_sidecar(portal_url, tmp_path / "c", ui_dir, names_in_titles=True) as host,
            host.open_page() as page,
        ):
            assert page.get("/capabilities").json()["namesInTitles"] is True

    def test_describe_the_desktop(self, page: httpx.Client, portal_url: str) -> None:
        assert page.get("/capabilities").json() == {
            "host": "desktop",
            "version": VERSION,
            "workstation": socket.gethostname(),
            "canPrintLabels": True,
            "canOpenWindows": False,
            "keepsPreferences": True,
            "keepsCredentials": False,
            "namesInTitles": False,
            "lab": {"title": "Invented Lab", "logo": None},
            "portal": {
                "address": portal_url,
                "cause": None,
                "problem": None,
                "advice": None,
                "newerVersion": None,
            },
        }
