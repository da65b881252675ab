"""Proxies and private authorities between the workstation and the portal."""

import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.desktop.errors import SettingsError
from app.desktop.relay.proxies import describe_proxy, find_proxy
from app.desktop.settings import Network
from tests.desktop.conftest import SIGN_IN
from tests.desktop.host import run_sidecar
from tests.desktop.proxies import RunningProxy, run_http_proxy, run_socks_proxy, run_tls_front
from tests.desktop.standins import StandInPortal, serve_app
from tests.desktop.test_connection import run_raw_server
from tests.standins.certificates import Certificate, create_certificate

Runner = Callable[[Path], AbstractContextManager[RunningProxy]]
PROXIES: dict[str, Runner] = {
    "http": run_http_proxy,
    "http with a password": partial(run_http_proxy, has_password=True),
    "socks5": run_socks_proxy,
    "socks5 with a password": partial(run_socks_proxy, has_password=True),
}


@pytest.fixture
def certificate(tmp_path: Path) -> Certificate:
    """The certificate of the portal, by a private authority."""
    return create_certificate(tmp_path)


@pytest.fixture
def secure_url(portal: StandInPortal, certificate: Certificate) -> Iterator[str]:
    """The address of a portal with TLS."""
    with serve_app(portal.app, certificate=certificate) as url:
        yield url


@pytest.fixture
def far_portal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the app reach the portal on this machine through a proxy."""
    monkeypatch.setattr("app.desktop.relay.proxies.is_loopback", lambda _: False)


@contextmanager
def open_page(folder: Path, ui_dir: Path, url: str, network: Network) -> Iterator[httpx.Client]:
    """Open a page of the app with these settings."""
    with (
        run_sidecar(url, folder / "config", ui_dir, network=network) as host,
        host.open_page() as page,
    ):
        yield page


def read_connection(folder: Path, ui_dir: Path, url: str, network: Network) -> dict[str, Any]:
    """Return what the app says about its connection to a portal."""
    with open_page(folder, ui_dir, url, network) as page:
        connection: dict[str, Any] = page.get("/capabilities").json()["portal"]
    return connection


def get_port(url: str) -> int:
    """Return the port of an address."""
    return int(url.rpartition(":")[2])


@contextmanager
def run_silent_listener() -> Iterator[int]:
    """Run a listener whose full queue accepts no connection, and yield its port."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):
            waiting_connection = stack.enter_context(socket.socket())
            waiting_connection.setblocking(False)
            waiting_connection.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


@pytest.mark.usefixtures("far_portal")
class TestProxies:
    @pytest.mark.parametrize("kind", PROXIES)
    def test_pass_on_calls_events_and_uploads(
        self,
        tmp_path: Path,
        ui_dir: Path,
        secure_url: str,
        certificate: Certificate,
        portal: StandInPortal,
        kind: str,
    ) -> None:
        with PROXIES[kind](tmp_path) as proxy:
            network = Network(proxy.address, certificate.authority)
            with open_page(tmp_path, ui_dir, secure_url, network) as page:
                assert page.post("/auth/login", json=SIGN_IN).status_code == 200
                answer = page.get("/api/v2/orders;a=1%20b|c?q=%C3%A4;x")
                assert answer.json()["path"].startswith("/api/v2/orders;a=1%20b")
                assert answer.json()["query"] == "q=%C3%A4;x"
                with page.stream("GET", "/api/events") as events:
                    assert next(events.iter_lines()) == "data: 0"
                pieces = (b"p" * 65_536 for _ in range(40))
                assert page.post("/api/upload", content=pieces).json()["length"] == 40 * 65_536
            assert proxy.has_connected(get_port(secure_url))

    def test_accepts_tls_of_the_same_private_authority(
        self,
        tmp_path: Path,
        ui_dir: Path,
        secure_url: str,
        certificate: Certificate,
        portal: StandInPortal,
    ) -> None:
        with (
            run_http_proxy(tmp_path, has_password=True) as http_proxy,
            run_tls_front(http_proxy, certificate) as proxy,
        ):
            network = Network(proxy.address, certificate.authority)
            with open_page(tmp_path, ui_dir, secure_url, network) as page:
                assert page.post("/auth/login", json=SIGN_IN).status_code == 200
                pieces = (b"p" * 65_536 for _ in range(40))
                assert page.post("/api/upload", content=pieces).json()["length"] == 40 * 65_536
            assert proxy.has_connected(get_port(secure_url))

    @pytest.mark.parametrize("kind", ["http with a password", "socks5 with a password"])
    def test_reports_a_proxy_that_asks_for_a_password(
        self, tmp_path: Path, ui_dir: Path, secure_url: str, kind: str
    ) -> None:
        with PROXIES[kind](tmp_path) as proxy:
            network = Network(describe_proxy(proxy.address))
            connection = read_connection(tmp_path, ui_dir, secure_url, network)
        assert connection["cause"] == "proxy_sign_in"

    @pytest.mark.parametrize("kind", ["http", "socks5"])
    def test_reports_a_proxy_that_cannot_reach_the_portal(
        self, tmp_path: Path, ui_dir: Path, kind: str
    ) -> None:
        with PROXIES[kind](tmp_path) as proxy:
            url = "https://127.0.0.1:9"
            connection = read_connection(tmp_path, ui_dir, url, Network(proxy.address))
        assert connection["cause"] == "proxy_rejects"

    @pytest.mark.parametrize("scheme", ["http", "https", "socks5"])
    def test_names_a_proxy_that_does_not_answer(
        self,
        tmp_path: Path,
        ui_dir: Path,
        secure_url: str,
        monkeypatch: pytest.MonkeyPatch,
        scheme: str,
    ) -> None:
        monkeypatch.setattr("app.desktop.relay.portal._PROXY_CONNECT_SECONDS", 0.3)
        with run_silent_listener() as port:
            proxy = f"{scheme}://127.0.0.1:{port}"
            connection = read_connection(tmp_path, ui_dir, secure_url, Network(proxy))
        assert connection["cause"] == "proxy_timeout"
        assert connection["problem"] == f"The proxy {proxy} does not answer."

    @pytest.mark.parametrize("fault", ["untrusted", "wrong_name", "expired"])
    def test_names_a_proxy_with_a_bad_certificate(
        self, tmp_path: Path, ui_dir: Path, secure_url: str, certificate: Certificate, fault: str
    ) -> None:
        folder = tmp_path / "proxy"
        folder.mkdir()
        address = "127.0.0.2" if fault == "wrong_name" else "127.0.0.1"
        age = timedelta(days=2) if fault == "expired" else timedelta(hours=1)
        bad = create_certificate(folder, address, age=age)
        trusted_authority = certificate.authority if fault == "untrusted" else bad.authority
        with run_http_proxy(tmp_path) as http_proxy, run_tls_front(http_proxy, bad) as proxy:
            network = Network(proxy.address, trusted_authority)
            connection = read_connection(tmp_path, ui_dir, secure_url, network)
        assert connection["cause"] == f"proxy_{fault}"
        assert f"proxy {proxy.address}" in connection["problem"]

    def test_names_a_proxy_without_tls(
        self, tmp_path: Path, ui_dir: Path, secure_url: str, portal_url: str
    ) -> None:
        network = Network(portal_url.replace("http:", "https:"))
        connection = read_connection(tmp_path, ui_dir, secure_url, network)
        assert connection["cause"] == "proxy_tls"

    def test_does_not_blame_a_tls_proxy_for_the_portals_certificate(
        self, tmp_path: Path, ui_dir: Path, secure_url: str
    ) -> None:
        folder = tmp_path / "proxy"
        folder.mkdir()
        certificate = create_certificate(folder)
        with (
            run_http_proxy(tmp_path) as http_proxy,
            run_tls_front(http_proxy, certificate) as proxy,
        ):
            network = Network(proxy.address, certificate.authority)
            connection = read_connection(tmp_path, ui_dir, secure_url, network)
        assert connection["cause"] == "untrusted"

    @pytest.mark.parametrize("kind", ["http", "socks5"])
    def test_does_not_blame_a_proxy_for_a_closed_connection(
        self, tmp_path: Path, ui_dir: Path, kind: str
    ) -> None:
        with PROXIES[kind](tmp_path) as proxy, run_raw_server(answer=b"") as program:
            url = program.replace("http:", "https:")
            connection = read_connection(tmp_path, ui_dir, url, Network(proxy.address))
            assert proxy.has_connected(get_port(program))
        assert not connection["cause"].startswith("proxy")

    def test_reads_proxies_from_the_environment(
        self,
        tmp_path: Path,
        ui_dir: Path,
        secure_url: str,
        certificate: Certificate,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        network = Network(authority=certificate.authority)
        with run_http_proxy(tmp_path) as proxy:
            monkeypatch.setenv("HTTPS_PROXY", proxy.address)
            monkeypatch.setenv("NO_PROXY", "127.0.0.1")
            with open_page(tmp_path, ui_dir, secure_url, network) as page:
                assert page.get("/capabilities").json()["lab"] is not None
            assert not proxy.has_connected(get_port(secure_url))
            monkeypatch.setenv("NO_PROXY", "elsewhere.example")
            with open_page(tmp_path, ui_dir, secure_url, network) as page:
                assert page.get("/capabilities").json()["lab"] is not None
            assert proxy.has_connected(get_port(secure_url))


class TestChoice:
    """The choice of the proxy for an address."""

    @pytest.fixture(autouse=True)
    def _clear_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
            monkeypatch.delenv(name.upper(), raising=False)

    @pytest.mark.parametrize(
        ("environment", "setting", "proxy"),
        [
            ({}, None, None),
            ({"https_proxy": "http://p:1"}, None, "http://p:1"),
            ({"HTTPS_PROXY": "p:1"}, None, "http://p:1"),
            ({"ALL_PROXY": "socks5://p:2"}, None, "socks5://p:2"),
            ({"HTTP_PROXY": "http://p:1"}, None, None),
            ({"https_proxy": "http://p:1"}, "socks5://s:3", "socks5://s:3"),
            ({"https_proxy": "http://p:1"}, "none", None),
            ({"https_proxy": "http://p:1", "no_proxy": "lab.example"}, None, None),
            ({"https_proxy": "http://p:1", "no_proxy": ".example"}, None, None),
            ({"https_proxy": "http://p:1", "no_proxy": "portal.lab.example:8443"}, None, None),
            ({"https_proxy": "http://p:1", "no_proxy": "*"}, None, None),
            ({"https_proxy": "http://p:1", "no_proxy": "other.example"}, None, "http://p:1"),
        ],
    )
    def test_prefers_the_setting_to_the_environment(
        self,
        monkeypatch: pytest.MonkeyPatch,
        environment: dict[str, str],
        setting: str | None,
        proxy: str | None,
    ) -> None:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        assert find_proxy("https://portal.lab.example:8443/x", setting) == proxy

    @pytest.mark.parametrize(
        ("exceptions", "is_direct"),
        [("10.0.0.0/8", True), ("10.1.2.3", True), ("192.168.0.0/16,nonsense/x", False)],
    )
    def test_uses_no_proxy_for_excepted_networks(
        self, monkeypatch: pytest.MonkeyPatch, exceptions: str, is_direct: bool
    ) -> None:
        monkeypatch.setenv("HTTPS_PROXY", "http://p:1")
        monkeypatch.setenv("NO_PROXY", exceptions)
        assert (find_proxy("https://10.1.2.3:8443", None) is None) is is_direct

    def test_uses_no_proxy_for_this_machine(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HTTPS_PROXY", "http://p:1")
        assert find_proxy("https://localhost:8443", "http://p:1") is None

    @pytest.mark.parametrize("address", ["ftp://p:1", "http://p", "http://p:x", "http://"])
    def test_rejects_invalid_proxy_addresses(self, address: str) -> None:
        with pytest.raises(SettingsError, match="not the address of a proxy"):
            find_proxy("https://portal.example", address)

    def test_never_shows_the_password_of_a_proxy(self) -> None:
        assert describe_proxy("http://ada:secret@p:1") == "http://p:1"


class TestPrivateAuthority:
    def test_trusts_a_private_authority_in_the_settings(
        self, tmp_path: Path, ui_dir: Path, secure_url: str, certificate: Certificate
    ) -> None:
        network = Network(authority=certificate.authority)
        with open_page(tmp_path, ui_dir, secure_url, network) as page:
            assert page.post("/auth/login", json=SIGN_IN).status_code == 200

    def test_trusts_a_private_authority_in_the_systems_store(
        self,
        tmp_path: Path,
        ui_dir: Path,
        secure_url: str,
        certificate: Certificate,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        # OpenSSL reads its store from here instead of /etc/ssl.
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.authority))
        with open_page(tmp_path, ui_dir, secure_url, Network()) as page:
            assert page.post("/auth/login", json=SIGN_IN).status_code == 200
