"""The guard: foreign web pages can neither read nor change anything."""

import http.client
import socket

import httpx
import pytest
from starlette.types import Receive, Scope, Send
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from app.desktop.guard import Guard, get_cookie_name
from app.desktop.launch import HAND_OVER_PATH, Launch
from tests.desktop.host import DesktopHost
from tests.desktop.standins import StandInPortal, open_listener, serve_app
from tests.rules.test_paths import IMPOSSIBLE

ORDER = "/api/v2/orders/remote-operations"
OUTSIDE = httpx.Client(timeout=60, trust_env=False)
"""A program without the headers of the app's window."""
FOREIGN_ORIGINS = ["https://evil.example", "null", "http://localhost:1", "http://127.0.0.1:1", ""]


def request_raw(host: DesktopHost, method: str, path: str, headers: list[tuple[str, str]]) -> int:
    """Send a request with exactly these headers and return its status."""
    connection = http.client.HTTPConnection("127.0.0.1", host.port, timeout=60)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders()
    status = connection.getresponse().status
    connection.close()
    return status


class TestHost:
    @pytest.mark.parametrize(
        "host_header",
        ["evil.example", "localhost:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}"],
    )
    def test_rejects_another_host(self, host: DesktopHost, host_header: str) -> None:
        other_headers = [item for item in host.headers.items() if item[0] != "Origin"]
        wrong_header = ("Host", host_header.format(port=host.port))
        assert request_raw(host, "GET", "/capabilities", [wrong_header, *other_headers]) == 403

    def test_rejects_two_hosts(self, host: DesktopHost) -> None:
        right = ("Host", f"127.0.0.1:{host.port}")
        status = request_raw(host, "GET", "/capabilities", [right, right, *host.headers.items()])
        assert status in (400, 403)

    def test_admits_our_host(self, host: DesktopHost) -> None:
        right = ("Host", f"127.0.0.1:{host.port}")
        assert request_raw(host, "GET", "/capabilities", [right, *host.headers.items()]) == 200

    @pytest.mark.parametrize("prefix", ["", "/api/v2/orders", "/assets", "/device"])
    @pytest.mark.parametrize("path", IMPOSSIBLE)
    def test_answers_404_for_impossible_paths(
        self, host: DesktopHost, prefix: str, path: str
    ) -> None:
        right = ("Host", f"127.0.0.1:{host.port}")
        assert request_raw(host, "GET", prefix + path, [right, *host.headers.items()]) == 404

    def test_listens_on_loopback_only(self, host: DesktopHost) -> None:
        with socket.socket() as outside:
            outside.settimeout(1)
            assert outside.connect_ex(("127.0.0.2", host.port)) != 0


class TestOrigin:
    @pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
    @pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
    def test_rejects_a_foreign_page_even_with_the_cookie(
        self, page: httpx.Client, portal: StandInPortal, origin: str, method: str
    ) -> None:
        answer = page.request(method, ORDER, headers={"Origin": origin})
        assert answer.status_code == 403
        assert answer.json()["code"] == "foreign_caller"
        assert answer.headers["content-type"] == "application/problem+json"
        assert portal.calls == []

    def test_rejects_a_write_without_an_origin(
        self, host: DesktopHost, portal: StandInPortal
    ) -> None:
        headers = {k: v for k, v in host.headers.items() if k != "Origin"}
        answer = OUTSIDE.post(host.url + ORDER, headers=headers)
        assert answer.status_code == 403
        assert portal.calls == []

    def test_denies_preflights(self, host: DesktopHost) -> None:
        answer = OUTSIDE.options(
            host.url + ORDER,
            headers={
                "Origin": "https://evil.example",
                "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Private-Network": "true",
            },
        )
        assert answer.status_code == 403
        assert not [name for name in answer.headers if name.startswith("access-control")]

    def test_sends_no_cors_headers(self, signed_in_page: httpx.Client) -> None:
        answer = signed_in_page.get("/api/v2/anything")
        assert answer.status_code == 200
        assert not [name for name in answer.headers if name.startswith("access-control")]


class TestFetchMetadata:
    @pytest.mark.parametrize("site", ["cross-site", "same-site", "anything"])
    def test_rejects_other_sites(self, page: httpx.Client, site: str) -> None:
        for path in ("/capabilities", "/", "/assets/look-1a2b3c.css", HAND_OVER_PATH):
            answer = page.get(path, headers={"Sec-Fetch-Site": site})
            assert answer.status_code == 403, path

    def test_lets_the_window_open_a_page(self, page: httpx.Client) -> None:
        assert page.get("/", headers={"Sec-Fetch-Site": "none"}).status_code == 200

    def test_rejects_writes_with_site_none(self, page: httpx.Client) -> None:
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
    def test_protects_every_path_with_data(
        self, host: DesktopHost, portal: StandInPortal, path: str
    ) -> None:
        answer = OUTSIDE.get(host.url + path)
        assert answer.status_code == 403
        assert answer.json()["code"] == "launch_required"
        assert portal.calls == []

    @pytest.mark.parametrize("path", [*IMPOSSIBLE, pytest.param("/" + "a/" * 2_500, id="long")])
    def test_protects_impossible_paths(self, host: DesktopHost, path: str) -> None:
        assert request_raw(host, "GET", path, [("Host", f"127.0.0.1:{host.port}")]) == 403

    @pytest.mark.parametrize("path", ["/assets/look-1a2b3c.css", "/favicon.svg", HAND_OVER_PATH])
    def test_serves_static_files_without_the_cookie(self, host: DesktopHost, path: str) -> None:
        assert OUTSIDE.get(host.url + path).status_code == 200

    def test_rejects_a_wrong_or_repeated_cookie(self, host: DesktopHost) -> None:
        name = get_cookie_name(host.port)
        for cookie in (f"{name}=x", f"{name}={host.cookie_value}; {name}=x", f"{name}="):
            answer = OUTSIDE.get(host.url + "/capabilities", headers={"Cookie": cookie})
            assert answer.status_code == 403

    def test_a_code_works_once(self, host: DesktopHost) -> None:
        assert host.launch is not None
        code = host.launch.issue_code("/secured/results/order;id=12", "another window")
        headers = {"Origin": host.url}
        first = OUTSIDE.post(host.url + HAND_OVER_PATH, data={"code": code}, headers=headers)
        second = OUTSIDE.post(host.url + HAND_OVER_PATH, data={"code": code}, headers=headers)
        assert first.status_code == 303
        assert first.headers["location"] == "/secured/results/order;id=12"
        cookie = first.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/" in cookie
        assert second.status_code == 403
        assert "set-cookie" not in second.headers

    def test_rejects_a_hand_over_from_a_foreign_page(self, host: DesktopHost) -> None:
        assert host.launch is not None
        code = host.launch.issue_code("/", "another window")
        for headers in ({"Origin": "null"}, {"Origin": "https://evil.example"}, {}):
            answer = OUTSIDE.post(host.url + HAND_OVER_PATH, data={"code": code}, headers=headers)
            assert answer.status_code == 403
        assert host.launch.redeem_code(code) is not None

    @pytest.mark.parametrize("body", [b"", b"code=", b"code=a&code=b", b"x" * 9_000, b"\xff\xfe"])
    def test_rejects_malformed_codes(self, host: DesktopHost, body: bytes) -> None:
        headers = {"Origin": host.url, "Content-Type": "application/x-www-form-urlencoded"}
        answer = OUTSIDE.post(host.url + HAND_OVER_PATH, content=body, headers=headers)
        assert answer.status_code == 403

    def test_revokes_the_cookie_of_a_closed_window(self, host: DesktopHost) -> None:
        assert host.launch is not None
        with host.open_page() as page:
            assert page.get("/capabilities").status_code == 200
            host.launch.close_window("test")
            assert page.get("/capabilities").status_code == 403

    def test_rejects_an_expired_code(self, monkeypatch: pytest.MonkeyPatch) -> None:
        launch = Launch()
        code = launch.issue_code("/", "window")
        monkeypatch.setattr("app.desktop.launch.time.monotonic", lambda: 1e12)
        assert launch.redeem_code(code) is None


class TestHeaders:
    def test_forbid_foreign_content_on_every_kind_of_answer(
        self, signed_in_page: httpx.Client
    ) -> None:
        paths = ["/", "/assets/look-1a2b3c.css", "/capabilities", "/api/v2/x", "/device/nothing"]
        for path in paths:
            headers = signed_in_page.get(path).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy and "script-src 'self';" in policy
            assert "unsafe" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["cross-origin-resource-policy"] == "same-origin"
            assert "server" not in headers

    def test_let_browsers_cache_assets_only(self, signed_in_page: httpx.Client) -> None:
        assert signed_in_page.get("/api/v2/x").headers["cache-control"] == "no-store"
        assert signed_in_page.get("/login").headers["cache-control"] == "no-store"
        assert "immutable" in signed_in_page.get("/assets/page-4d5e6f.js").headers["cache-control"]


class TestMethods:
    """Methods that a path does not have; the portal answers them in the same way."""

    @pytest.mark.parametrize(
        ("method", "path", "allowed_methods"),
        [
            ("HEAD", "/device/printers", "GET, POST"),
            ("HEAD", "/device/about", "GET"),
            ("HEAD", "/capabilities", "GET"),
            ("DELETE", "/capabilities", "GET"),
            ("DELETE", "/login", "GET, HEAD"),
        ],
    )
    def test_a_known_path_names_its_methods(
        self, signed_in_page: httpx.Client, method: str, path: str, allowed_methods: str
    ) -> None:
        answer = signed_in_page.request(method, path)
        assert answer.status_code == 405
        assert answer.headers["allow"] == allowed_methods
        assert answer.headers["content-type"] == "application/problem+json"

    def test_the_portals_answer_is_passed_on(self, signed_in_page: httpx.Client) -> None:
        answer = signed_in_page.delete("/auth/jwt/validate")
        assert answer.status_code == 405
        assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD"}

    @pytest.mark.parametrize("path", ["/", "/login"])
    def test_pages_answer_head_requests(self, signed_in_page: httpx.Client, path: str) -> None:
        assert signed_in_page.head(path).status_code == 200

    def test_an_unknown_path_is_not_found(self, signed_in_page: httpx.Client) -> None:
        assert signed_in_page.head("/device/nothing").status_code == 404


class TestWebsockets:
    @pytest.fixture
    def greeter(self) -> "object":
        """Port and cookie of a websocket behind a guard; it sends a greeting."""
        launch = Launch()
        sock = open_listener()
        port = sock.getsockname()[1]

        async def greet(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.accept"})
                await send({"type": "websocket.send", "text": "welcome"})
                await send({"type": "websocket.close", "code": 1000})

        guard = Guard(greet, port=port, launch=launch, needs_no_cookie=lambda path: True)
        redemption = launch.redeem_code(launch.issue_code("/", "window"))
        assert redemption is not None
        with serve_app(guard, sock):
            yield port, {"Cookie": f"{get_cookie_name(port)}={redemption[0]}"}

    def test_admits_our_page(self, greeter: tuple[int, dict[str, str]]) -> None:
        port, cookie = greeter
        with connect(
            f"ws://127.0.0.1:{port}/jspm",
            origin=Origin(f"http://127.0.0.1:{port}"),
            additional_headers=cookie,
            proxy=None,
        ) as socket_:
            assert socket_.recv() == "welcome"

    @pytest.mark.parametrize("origin", [*FOREIGN_ORIGINS, None])
    def test_rejects_a_foreign_page(
        self, greeter: tuple[int, dict[str, str]], origin: str | None
    ) -> None:
        port, cookie = greeter
        with pytest.raises(InvalidStatus) as error:
            connect(
                f"ws://127.0.0.1:{port}/jspm",
                origin=origin,
                additional_headers=cookie,
                proxy=None,
            )
        assert error.value.response.status_code == 403

    def test_rejects_a_page_without_the_cookie(self, greeter: tuple[int, dict[str, str]]) -> None:
        port, _ = greeter
        with pytest.raises(InvalidStatus):
            connect(
                f"ws://127.0.0.1:{port}/jspm",
                origin=Origin(f"http://127.0.0.1:{port}"),
                proxy=None,
            )

    def test_rejects_a_foreign_handshake(self, host: DesktopHost) -> None:
        with pytest.raises(InvalidStatus) as error:
            connect(f"ws://127.0.0.1:{host.port}/jspm", origin=None, proxy=None)
        assert error.value.response.status_code == 403


@pytest.mark.parametrize("piece", [b"a: b\r\n" * 1_000, b"a" * 6_000], ids=["many", "one"])
def test_trailers_without_an_end_close_the_connection(host: DesktopHost, piece: bytes) -> None:
    """Otherwise, any program on this computer could fill the memory, even without a cookie."""
    with socket.create_connection(("127.0.0.1", host.port), timeout=60) as connection:
        connection.sendall(
            b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"2\r\n{}\r\n0\r\nx-start: 1"
        )
        with pytest.raises(ConnectionError):
            for _ in range(2_000):
                connection.sendall(piece)
