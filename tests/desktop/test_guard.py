"""A stranger's web page calling the sidecar gets nothing and causes nothing."""

import http.client
import socket

import httpx
import pytest
from starlette.types import Receive, Scope, Send
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from app.desktop.guard import HAND_OVER_PATH, Guard, cookie_name
from app.desktop.launch import Launch
from tests.desktop.host import DesktopHost
from tests.desktop.standins import StandInPortal, listener, serving

ORDER = "/api/v2/orders/remote-operations"
FOREIGN_ORIGINS = ["https://evil.example", "null", "http://localhost:1", "http://127.0.0.1:1", ""]


def raw(host: DesktopHost, method: str, path: str, headers: list[tuple[str, str]]) -> int:
    """The status of a request with exactly these headers, repeated ones included."""
    connection = http.client.HTTPConnection("127.0.0.1", host.port, timeout=10)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders()
    status = connection.getresponse().status
    connection.close()
    return status


class TestHost:
    @pytest.mark.parametrize(
        "named", ["evil.example", "localhost:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}"]
    )
    def test_another_name_is_refused(self, host: DesktopHost, named: str) -> None:
        own = [item for item in host.headers.items() if item[0] != "Origin"]
        wrong = ("Host", named.format(port=host.port))
        assert raw(host, "GET", "/capabilities", [wrong, *own]) == 403

    def test_two_names_are_refused(self, host: DesktopHost) -> None:
        right = ("Host", f"127.0.0.1:{host.port}")
        status = raw(host, "GET", "/capabilities", [right, right, *host.headers.items()])
        assert status in (400, 403)

    def test_the_right_name_gets_in(self, host: DesktopHost) -> None:
        right = ("Host", f"127.0.0.1:{host.port}")
        assert raw(host, "GET", "/capabilities", [right, *host.headers.items()]) == 200

    def test_only_loopback_listens(self, host: DesktopHost) -> None:
        with socket.socket() as outside:
            outside.settimeout(1)
            assert outside.connect_ex(("127.0.0.2", host.port)) != 0


class TestOrigin:
    @pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
    @pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
    def test_a_foreign_page_is_refused_even_with_the_cookie(
        self, page: httpx.Client, portal: StandInPortal, origin: str, method: str
    ) -> None:
        answer = page.request(method, ORDER, headers={"Origin": origin})
        assert answer.status_code == 403
        assert answer.json()["code"] == "foreign_caller"
        assert answer.headers["content-type"] == "application/problem+json"
        assert portal.seen == []

    def test_a_write_without_any_origin_is_refused(
        self, host: DesktopHost, portal: StandInPortal
    ) -> None:
        headers = {k: v for k, v in host.headers.items() if k != "Origin"}
        answer = httpx.post(host.url + ORDER, headers=headers)
        assert answer.status_code == 403
        assert portal.seen == []

    def test_a_preflight_gets_no_permission(self, host: DesktopHost) -> None:
        answer = httpx.options(
            host.url + ORDER,
            headers={
                "Origin": "https://evil.example",
                "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Private-Network": "true",
            },
        )
        assert answer.status_code == 403
        assert not [name for name in answer.headers if name.startswith("access-control")]

    def test_no_answer_ever_carries_cors_headers(self, signed_in: httpx.Client) -> None:
        answer = signed_in.get("/api/v2/anything")
        assert answer.status_code == 200
        assert not [name for name in answer.headers if name.startswith("access-control")]


class TestFetchMetadata:
    @pytest.mark.parametrize("site", ["cross-site", "same-site", "anything"])
    def test_other_sites_are_refused(self, page: httpx.Client, site: str) -> None:
        for path in ("/capabilities", "/", "/assets/look-1a2b3c.css", HAND_OVER_PATH):
            answer = page.get(path, headers={"Sec-Fetch-Site": site})
            assert answer.status_code == 403, path

    def test_the_window_itself_may_open_a_page(self, page: httpx.Client) -> None:
        assert page.get("/", headers={"Sec-Fetch-Site": "none"}).status_code == 200

    def test_nobody_writes_with_none(self, page: httpx.Client) -> None:
        answer = page.put(
            "/device/preferences/theme", json={"value": 1}, headers={"Sec-Fetch-Site": "none"}
        )
        assert answer.status_code == 403


class TestLaunchCookie:
    @pytest.mark.parametrize(
        "path",
        [
            "/",
            "/index.html",
            "/login",
            ORDER,
            "/auth/jwt/validate",
            "/capabilities",
            "/device/printers",
            "/device/preferences",
            "/assets/missing.js",
            "/avatars/x.svg",
        ],
    )
    def test_nothing_with_data_without_it(
        self, host: DesktopHost, portal: StandInPortal, path: str
    ) -> None:
        answer = httpx.get(host.url + path)
        assert answer.status_code == 403
        assert answer.json()["code"] == "launch_required"
        assert portal.seen == []

    @pytest.mark.parametrize("path", ["/assets/look-1a2b3c.css", "/favicon.svg", HAND_OVER_PATH])
    def test_static_files_are_free(self, host: DesktopHost, path: str) -> None:
        assert httpx.get(host.url + path).status_code == 200

    def test_a_wrong_or_doubled_cookie_is_refused(self, host: DesktopHost) -> None:
        name = cookie_name(host.port)
        for cookie in (f"{name}=x", f"{name}={host.cookie_value}; {name}=x", f"{name}="):
            answer = httpx.get(host.url + "/capabilities", headers={"Cookie": cookie})
            assert answer.status_code == 403

    def test_a_code_works_once(self, host: DesktopHost) -> None:
        assert host.launch is not None
        code = host.launch.issue("/secured/results/order;id=12", "another window")
        own = {"Origin": host.url}
        first = httpx.post(host.url + HAND_OVER_PATH, data={"code": code}, headers=own)
        second = httpx.post(host.url + HAND_OVER_PATH, data={"code": code}, headers=own)
        assert first.status_code == 303
        assert first.headers["location"] == "/secured/results/order;id=12"
        cookie = first.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/" in cookie
        assert second.status_code == 403
        assert "set-cookie" not in second.headers

    def test_a_foreign_page_can_not_hand_over(self, host: DesktopHost) -> None:
        assert host.launch is not None
        code = host.launch.issue("/", "another window")
        for headers in ({"Origin": "null"}, {"Origin": "https://evil.example"}, {}):
            answer = httpx.post(host.url + HAND_OVER_PATH, data={"code": code}, headers=headers)
            assert answer.status_code == 403
        assert host.launch.redeem(code) is not None

    @pytest.mark.parametrize("body", [b"", b"code=", b"code=a&code=b", b"x" * 5_000, b"\xff\xfe"])
    def test_nonsense_is_refused(self, host: DesktopHost, body: bytes) -> None:
        own = {"Origin": host.url, "Content-Type": "application/x-www-form-urlencoded"}
        answer = httpx.post(host.url + HAND_OVER_PATH, content=body, headers=own)
        assert answer.status_code == 403

    def test_a_closed_windows_cookie_is_dead(self, host: DesktopHost) -> None:
        assert host.launch is not None
        with host.client() as client:
            assert client.get("/capabilities").status_code == 200
            host.launch.close("test")
            assert client.get("/capabilities").status_code == 403

    def test_an_old_code_is_dead(self, monkeypatch: pytest.MonkeyPatch) -> None:
        launch = Launch()
        code = launch.issue("/", "window")
        monkeypatch.setattr("app.desktop.launch.time.monotonic", lambda: 1e12)
        assert launch.redeem(code) is None


class TestHeaders:
    def test_strict_on_every_kind_of_answer(self, signed_in: httpx.Client) -> None:
        paths = ["/", "/assets/look-1a2b3c.css", "/capabilities", "/api/v2/x", "/device/nothing"]
        for path in paths:
            headers = signed_in.get(path).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy and "script-src 'self';" in policy
            assert "unsafe" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["cross-origin-resource-policy"] == "same-origin"
            assert "server" not in headers

    def test_data_and_pages_are_not_stored_but_assets_are(self, signed_in: httpx.Client) -> None:
        assert signed_in.get("/api/v2/x").headers["cache-control"] == "no-store"
        assert signed_in.get("/login").headers["cache-control"] == "no-store"
        assert "immutable" in signed_in.get("/assets/page-4d5e6f.js").headers["cache-control"]


class TestWebsockets:
    @pytest.fixture
    def chat(self) -> "object":
        """A guard before a websocket that greets."""
        launch = Launch()
        sock = listener()
        port = sock.getsockname()[1]

        async def greet(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.accept"})
                await send({"type": "websocket.send", "text": "welcome"})
                await send({"type": "websocket.close", "code": 1000})

        guard = Guard(greet, port=port, launch=launch, is_free=lambda path: True)
        redeemed = launch.redeem(launch.issue("/", "window"))
        assert redeemed is not None
        with serving(guard, sock):
            yield port, {"Cookie": f"{cookie_name(port)}={redeemed[0]}"}

    def test_our_own_page_gets_in(self, chat: tuple[int, dict[str, str]]) -> None:
        port, cookie = chat
        with connect(
            f"ws://127.0.0.1:{port}/jspm",
            origin=Origin(f"http://127.0.0.1:{port}"),
            additional_headers=cookie,
            proxy=None,
        ) as socket_:
            assert socket_.recv() == "welcome"

    @pytest.mark.parametrize("origin", [*FOREIGN_ORIGINS, None])
    def test_a_foreign_page_does_not(
        self, chat: tuple[int, dict[str, str]], origin: str | None
    ) -> None:
        port, cookie = chat
        with pytest.raises(InvalidStatus) as refused:
            connect(
                f"ws://127.0.0.1:{port}/jspm",
                origin=origin,
                additional_headers=cookie,
                proxy=None,
            )
        assert refused.value.response.status_code == 403

    def test_nobody_without_the_cookie(self, chat: tuple[int, dict[str, str]]) -> None:
        port, _ = chat
        with pytest.raises(InvalidStatus):
            connect(
                f"ws://127.0.0.1:{port}/jspm",
                origin=Origin(f"http://127.0.0.1:{port}"),
                proxy=None,
            )

    def test_the_sidecar_refuses_a_strangers_handshake(self, host: DesktopHost) -> None:
        with pytest.raises(InvalidStatus) as refused:
            connect(f"ws://127.0.0.1:{host.port}/jspm", origin=None, proxy=None)
        assert refused.value.response.status_code == 403
