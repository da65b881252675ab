"""Cookies, origins, proxies, metrics, and paths."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse
from pydantic import SecretStr, ValidationError
from starlette.types import Receive, Scope, Send

from app.server import serve
from app.server.access.quotas import get_address
from app.server.accounts.passwords import Passwords
from app.server.api import build_server
from app.server.exposure import PublishedPasswordError, find_exposing_host
from app.server.main import build_app
from app.server.preparation import require_unpublished_passwords
from app.server.seeding import DEMO_PASSWORD
from app.server.settings import Settings
from tests.rules.test_paths import IMPOSSIBLE
from tests.server.accounts.builders import PASSWORD, Person
from tests.server.world import World

COOKIE = {"X-Refresh-Transport": "cookie"}


@pytest.fixture(scope="module")
async def secure_portal(
    app_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[FastAPI]:
    """A portal behind a proxy that ends TLS."""
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("data"),
        read_pool_size=2,
        write_pool_size=5,
        public_url="https://portal.lab.test",
        metrics_token=SecretStr("collector"),
    )
    app = build_app(settings, app_url)
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def browser(secure_portal: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A browser on a page of the portal behind the proxy."""
    transport = httpx.ASGITransport(secure_portal, raise_app_exceptions=False)
    async with httpx.AsyncClient(
        transport=transport, base_url="https://portal.lab.test", headers=COOKIE
    ) as browser:
        yield browser


def sign_in(browser: httpx.AsyncClient, person: Person, **headers: str):
    """Sign in as this person."""
    body = {"loginId": person.email, "password": PASSWORD}
    return browser.post("/auth/login", json=body, headers=headers)


class TestTls:
    """A portal whose public address begins with https."""

    async def test_cookies_are_secure(self, browser: httpx.AsyncClient, nurse: Person) -> None:
        answer = await sign_in(browser, nurse)
        assert answer.status_code == 200
        assert "; secure" in answer.headers["set-cookie"].lower()

    async def test_no_other_host_can_plant_a_cookie(
        self, browser: httpx.AsyncClient, nurse: Person
    ) -> None:
        cookies = (await sign_in(browser, nurse)).headers.get_list("set-cookie")
        assert {text.partition("=")[0] for text in cookies} == {
            "__Host-portal_refresh",
            "__Host-portal_device",
        }
        for cookie in cookies:
            attributes = set(cookie.lower().split("; ")[1:])
            assert {"path=/", "secure", "httponly", "samesite=strict"} <= attributes
            assert not any(attribute.startswith("domain") for attribute in attributes)

    async def test_an_earlier_cookie_stays_signed_in_and_is_replaced(
        self, browser: httpx.AsyncClient, nurse: Person
    ) -> None:
        token = (await sign_in(browser, nurse)).cookies["__Host-portal_refresh"]
        browser.cookies.clear()
        headers = {"Cookie": f"portal_refresh={token}"}
        answer = await browser.post("/auth/jwt/refresh", headers=headers)
        assert answer.status_code == 200
        new_cookie, deleted_cookie = answer.headers.get_list("set-cookie")
        assert new_cookie.startswith("__Host-portal_refresh=")
        assert (
            deleted_cookie.startswith('portal_refresh="";')
            and "Max-Age=0; Path=/auth" in deleted_cookie
        )

    async def test_signing_out_deletes_the_cookie_under_both_names(
        self, browser: httpx.AsyncClient, nurse: Person
    ) -> None:
        await sign_in(browser, nurse)
        cookies = (await browser.post("/auth/logout")).headers.get_list("set-cookie")
        assert [cookie.partition("=")[0] for cookie in cookies] == [
            "portal_refresh",
            "__Host-portal_refresh",
        ]
        assert "Path=/;" in cookies[1] and "Secure" in cookies[1]
        assert "__Host-portal_refresh" not in browser.cookies

    async def test_browsers_use_https_only(self, browser: httpx.AsyncClient) -> None:
        for path in ("/health/live", "/", "/api/v2/nothing", "/auth/jwt/validate"):
            header = (await browser.get(path)).headers["strict-transport-security"]
            assert header == "max-age=31536000; includeSubDomains"

    async def test_a_local_portal_has_no_secure_cookies_and_no_hsts(
        self, world: World, nurse: Person
    ) -> None:
        answer = await sign_in(world.http, nurse, **COOKIE)
        assert "secure" not in answer.headers["set-cookie"].lower()
        assert "strict-transport-security" not in answer.headers

    @pytest.mark.parametrize(
        ("url", "normalized_url"),
        [
            ("https://Portal.Example", "https://portal.example"),
            ("https://portal.example:443/", "https://portal.example/"),
            ("http://portal.example:80", "http://portal.example"),
            ("https://portal.example:8443/Lab", "https://portal.example:8443/Lab"),
            ("https://[2001:DB8::1]:443", "https://[2001:db8::1]"),
            ("HTTPS://Portal.Example/Lab", "https://portal.example/Lab"),
            ("https://b\u00fccher.example", "https://xn--bcher-kva.example"),
        ],
    )
    def test_writes_an_address_as_browsers_do(self, url: str, normalized_url: str) -> None:
        assert Settings(public_url=url).public_url == normalized_url

    @pytest.mark.parametrize(
        "url",
        [
            "portal.lab.test",
            "ftp://portal",
            "https://",
            "https:///a",
            "https://[",
            "https://portal:x",
            "https://a:b@portal",
        ],
    )
    def test_rejects_other_addresses(self, url: str) -> None:
        with pytest.raises(ValidationError):
            Settings(public_url=url)


class TestOrigin:
    """Requests that carry the cookie of a session."""

    FOREIGN = (
        {"Origin": "https://evil.test"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": "http://portal.lab.test"},
        {"Origin": "https://portal.lab.test.evil.test"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    )

    @pytest.mark.parametrize("headers", FOREIGN)
    @pytest.mark.parametrize("path", ["/auth/login", "/auth/jwt/refresh", "/auth/logout"])
    async def test_rejects_pages_of_other_sites(
        self, browser: httpx.AsyncClient, nurse: Person, path: str, headers: dict[str, str]
    ) -> None:
        assert (await sign_in(browser, nurse)).status_code == 200
        body = {"loginId": nurse.email, "password": PASSWORD} if path == "/auth/login" else None
        assert (await browser.post(path, json=body, headers=headers)).status_code == 403
        assert (await browser.post("/auth/jwt/refresh")).status_code == 200

    async def test_other_sites_may_read_nothing(
        self, browser: httpx.AsyncClient, nurse: Person
    ) -> None:
        headers = {"Origin": "https://evil.test", "Access-Control-Request-Method": "POST"}
        for method, path in (("GET", "/capabilities"), ("OPTIONS", "/auth/login")):
            answer = await browser.request(method, path, headers=headers)
            assert not any(name.startswith("access-control") for name in answer.headers)

    async def test_accepts_own_pages(self, browser: httpx.AsyncClient, nurse: Person) -> None:
        own_headers = {"Origin": "https://portal.lab.test", "Sec-Fetch-Site": "same-origin"}
        assert (await sign_in(browser, nurse, **own_headers)).status_code == 200
        assert (await browser.post("/auth/jwt/refresh", headers=own_headers)).status_code == 200
        assert (await browser.post("/auth/logout", headers=own_headers)).status_code == 204
        assert (await browser.post("/auth/jwt/refresh", headers=own_headers)).status_code == 204

    async def test_without_a_public_address_the_host_decides(
        self, world: World, nurse: Person
    ) -> None:
        own_headers = {**COOKIE, "Origin": "http://portal.test"}
        assert (await sign_in(world.http, nurse, **own_headers)).status_code == 200
        for origin in ("http://portal.test:81", "http://[", "[", "http://[::1", "http://[x]", ""):
            foreign_headers = {**COOKIE, "Origin": origin}
            assert (await sign_in(world.http, nurse, **foreign_headers)).status_code == 403
            without_host = {**foreign_headers, "Host": ""}
            assert (await sign_in(world.http, nurse, **without_host)).status_code == 403


class TestProxies:
    """The proxies that may name the sender of a request."""

    @pytest.mark.parametrize(
        ("trusted_proxies", "sender", "logged_address"),
        [
            ("192.0.2.1", "192.0.2.1", "203.0.113.7"),
            ("192.0.2.1", "198.51.100.9", "198.51.100.9"),
            ("", "192.0.2.1", "192.0.2.1"),
        ],
    )
    async def test_only_trusted_proxies_name_another_address(
        self, app_url: str, tmp_path: Path, trusted_proxies: str, sender: str, logged_address: str
    ) -> None:
        async def answer_address(scope: Scope, receive: Receive, send: Send) -> None:
            await PlainTextResponse(get_address(Request(scope)))(scope, receive, send)

        config = build_server(
            Settings(data_dir=tmp_path, trusted_proxies=trusted_proxies), app_url
        ).config
        config.app = answer_address
        config.load()
        transport = httpx.ASGITransport(config.loaded_app, client=(sender, 9))
        async with httpx.AsyncClient(transport=transport, base_url="http://portal.test") as http:
            answer = await http.get("/", headers={"X-Forwarded-For": "203.0.113.7"})
        assert answer.text == logged_address

    @pytest.mark.parametrize(
        "forwarded_address",
        ["garbage", "a" * 5_000, "fe80::1%" + "a" * 5_000, "", "192.0.2.7.9"],
        ids=["word", "long", "long zone", "empty", "five numbers"],
    )
    async def test_keeps_the_address_of_the_proxy_if_the_forwarded_one_is_invalid(
        self, app_url: str, tmp_path: Path, forwarded_address: str
    ) -> None:
        async def answer_address(scope: Scope, receive: Receive, send: Send) -> None:
            client = scope["client"]
            await PlainTextResponse(client[0])(scope, receive, send)

        settings = Settings(data_dir=tmp_path, trusted_proxies="192.0.2.1")
        config = build_server(settings, app_url).config
        config.app = answer_address
        config.load()
        transport = httpx.ASGITransport(config.loaded_app, client=("192.0.2.1", 9))
        async with httpx.AsyncClient(transport=transport, base_url="http://portal.test") as http:
            answer = await http.get("/", headers={"X-Forwarded-For": forwarded_address})
        assert answer.text == "192.0.2.1"


class TestSignIn:
    """Signing in again in the same browser."""

    async def test_ends_the_session_that_it_replaces(
        self, browser: httpx.AsyncClient, nurse: Person
    ) -> None:
        first, second = [(await sign_in(browser, nurse)).json()["token"] for _ in range(2)]
        for token, status in ((first, 401), (second, 200)):
            headers = {"Authorization": f"JWT {token}"}
            answer = await browser.get("/auth/jwt/validate", headers=headers)
            assert answer.status_code == status


class TestSignOut:
    """Signing out with only the access token."""

    async def test_signing_out_ends_the_session(self, world: World, nurse: Person) -> None:
        answer = await sign_in(world.http, nurse)
        session = answer.json()
        headers = {"Authorization": f"JWT {session['token']}"}
        assert (await world.http.get("/auth/jwt/validate", headers=headers)).status_code == 200
        assert (await world.http.post("/auth/logout", headers=headers)).status_code == 204
        assert (await world.http.get("/auth/jwt/validate", headers=headers)).status_code == 401
        body = {"refreshToken": session["refreshToken"]}
        assert (await world.http.post("/auth/jwt/refresh", json=body)).status_code == 401

    async def test_an_invalid_token_ends_nothing(self, world: World) -> None:
        headers = {"Authorization": "JWT invalid"}
        assert (await world.http.post("/auth/logout", headers=headers)).status_code == 204


class TestMetrics:
    """Metrics are for collectors with the token."""

    async def test_metrics_require_the_token(self, browser: httpx.AsyncClient) -> None:
        answer = await browser.get("/metrics", headers={"Authorization": "Bearer collector"})
        for name in ("portal_requests", "portal_pool_wait_seconds", "portal_job_lag_seconds"):
            assert name in answer.text
        for headers in ({}, {"Authorization": "Bearer other"}, {"Authorization": "collector"}):
            assert (await browser.get("/metrics", headers=headers)).status_code == 404

    async def test_metrics_are_off_without_a_token_in_the_settings(self, world: World) -> None:
        for headers in ({}, {"Authorization": "Bearer "}):
            assert (await world.http.get("/metrics", headers=headers)).status_code == 404


class TestPaths:
    """Impossible paths are not found, with any prefix."""

    @pytest.mark.parametrize("path", IMPOSSIBLE)
    @pytest.mark.parametrize("prefix", ["", "/api/v2/requisitions", "/assets", "/auth/user"])
    async def test_answers_404(
        self, world: World, nurse: Person, capfd: pytest.CaptureFixture[str], prefix: str, path: str
    ) -> None:
        address = httpx.URL("http://portal.test", raw_path=(prefix + path).encode())
        answer = await world.http.get(address, headers=nurse.headers)
        assert answer.status_code == 404
        assert answer.json()["code"] == "not_found"
        assert "error" not in capfd.readouterr().err

    @pytest.mark.parametrize(
        "path",
        ["/" + "x/" * 5_000, "/x;" + "y" * 400],
        ids=["many folders", "long parameters"],
    )
    async def test_paths_too_long_for_files_are_screens(
        self, world: World, capfd: pytest.CaptureFixture[str], path: str
    ) -> None:
        screen_answer = await world.http.get("/secured/orders")
        answer = await world.http.get(path)
        assert answer.status_code == screen_answer.status_code
        assert "error" not in capfd.readouterr().err


class TestDemo:
    """The demo lab, whose passwords are published."""

    @pytest.mark.parametrize(
        ("host", "public_url", "named_host", "exposing_host"),
        [
            ("127.0.0.1", None, None, None),
            ("localhost", None, None, None),
            ("127.0.0.1", "http://localhost:8000", None, None),
            ("0.0.0.0", None, None, "0.0.0.0"),
            ("0.0.0.0", None, "192.0.2.1", "0.0.0.0"),
            ("0.0.0.0", None, "0.0.0.0", None),
            # Other machines can reach the portal through a proxy on its machine.
            ("127.0.0.1", "https://portal.lab.test", None, "portal.lab.test"),
            ("127.0.0.1", "http://192.0.2.1:8080/lab", "127.0.0.1", "192.0.2.1"),
            ("127.0.0.1", "https://Portal.lab.test/", "portal.lab.test", None),
            ("0.0.0.0", "https://portal.lab.test", "0.0.0.0", None),
        ],
    )
    def test_demo_is_served_to_other_machines_only_on_request(
        self, host: str, public_url: str | None, named_host: str | None, exposing_host: str | None
    ) -> None:
        settings = Settings(host=host, public_url=public_url, demo_host=named_host)
        assert find_exposing_host(settings) == exposing_host

    async def test_demo_accounts_are_not_served_after_the_demo_is_turned_off(
        self, world: World, owner_url: str
    ) -> None:
        """A database that had the demo lab becomes a real one by ``PORTAL_DEMO=false``."""
        real_settings = Settings(host="0.0.0.0", demo=False)
        person = world.create_account("Superuser")
        email = person.email.replace("@test.lab", "@demo.lab")
        change = "UPDATE users SET email = %s, password_hash = %s WHERE id = %s"
        own_hash = world.run_sql("SELECT password_hash FROM users WHERE id = %s", (person.user_id,))
        world.run_sql(change, (email, own_hash, person.user_id))
        require_unpublished_passwords(real_settings, owner_url)
        published_hash = Passwords().hash_now(DEMO_PASSWORD)
        world.run_sql(change, (email, published_hash, person.user_id))
        try:
            with pytest.raises(PublishedPasswordError, match=email):
                require_unpublished_passwords(real_settings, owner_url)
            exposed_settings = real_settings.model_copy(update={"demo_host": "0.0.0.0"})
            require_unpublished_passwords(exposed_settings, owner_url)
            require_unpublished_passwords(Settings(demo=False), owner_url)
        finally:
            world.run_sql(change, (person.email, own_hash, person.user_id))

    @pytest.mark.parametrize(
        ("name", "value", "host"),
        [
            ("PORTAL_HOST", "0.0.0.0", "0.0.0.0"),
            ("PORTAL_PUBLIC_URL", "https://portal.lab.test", "portal.lab.test"),
        ],
    )
    def test_serve_explains_the_setting(
        self,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
        capsys,
        name: str,
        value: str,
        host: str,
    ) -> None:
        monkeypatch.setenv(name, value)
        monkeypatch.setenv("PORTAL_DATA_DIR", str(tmp_path / "data"))
        assert serve.run([]) == 1
        assert f"PORTAL_DEMO_HOST={host}" in capsys.readouterr().out
        assert not (tmp_path / "data").exists()
