"""Addresses of network printers, redirects, and tokens within answers."""

import json
import socket
from pathlib import Path

import httpx
import pytest

from app.contract import messages
from app.desktop.errors import PortalUnreachable
from app.desktop.printers.addresses import PrinterAddressRejected, is_own_address
from app.desktop.printers.port import Printer, PrintJob, Progress
from app.desktop.printers.tcp import TcpPrinter
from app.desktop.relay.portal import Portal
from app.desktop.relay.session import remove_tokens
from app.desktop.settings import parse_arguments, read_settings
from tests.desktop.host import run_sidecar
from tests.desktop.standins import StandInPrinter


def find_network_address() -> str:
    """Return this computer's address in its network, or a loopback address without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("203.0.113.1", 9))  # sends nothing
        except OSError:
            return "127.0.0.2"
        return str(probe.getsockname()[0])


class TestPrinters:
    """Addresses at which a page may set up a printer."""

    @pytest.mark.parametrize(
        ("host", "port", "field"),
        [
            ("127.0.0.1", 9100, "host"),
            ("127.8.8.8", 9100, "host"),
            ("localhost", 9100, "host"),
            ("LOCALHOST", 9100, "host"),
            ("0.0.0.0", 9100, "host"),
            ("127.1", 9100, "host"),
            ("0", 9100, "host"),
            ("2130706433", 9100, "host"),
            ("0x7f000001", 9100, "host"),
            ("0177.0.0.1", 9100, "host"),
            ("10.0.0.9", 22, "port"),
            ("10.0.0.9", 80, "port"),
            ("10.0.0.9", 1023, "port"),
        ],
    )
    def test_rejects_other_services(
        self, portal_url: str, tmp_path: Path, ui_dir: Path, host: str, port: int, field: str
    ) -> None:
        with (
            run_sidecar(portal_url, tmp_path / "c", ui_dir, local_printers=False) as sidecar,
            sidecar.open_page() as page,
        ):
            body = {"name": "Bench", "host": host, "port": port}
            answer = page.post("/device/printers", json=body)
            assert answer.status_code == 400
            assert answer.json()["errors"] == [
                {"field": field, "message": messages.PRINTER_ADDRESS_REJECTED}
            ]
            key = page.post("/device/printers", json={"name": "B", "host": "10.0.0.9"}).json()["id"]
            change = page.put(f"/device/printers/{key}", json={"host": host, "port": port})
            assert change.status_code == 400

    @pytest.mark.parametrize("port", [515, 631, 1024, 9100])
    def test_accepts_ports_of_printers(
        self, portal_url: str, tmp_path: Path, ui_dir: Path, port: int
    ) -> None:
        with (
            run_sidecar(portal_url, tmp_path / "c", ui_dir, local_printers=False) as sidecar,
            sidecar.open_page() as page,
        ):
            body = {"name": "Bench", "host": "10.0.0.9", "port": port}
            assert page.post("/device/printers", json=body).status_code == 201

    async def test_rejects_names_that_mean_this_computer(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        printer = StandInPrinter()
        loopback = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", printer.port))
        monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: [loopback])
        named_printer = Printer("x", "Bench", "tcp", f"printer.evil.test:{printer.port}", "zpl")
        with pytest.raises(PrinterAddressRejected):
            await TcpPrinter().send(PrintJob(named_printer, (b"^XA^XZ",)), Progress())
        printer.close()
        assert printer.jobs == []

    async def test_rejects_the_network_addresses_of_this_computer(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        printer = StandInPrinter()
        # The loopback address stands for one of the network, where the test may not listen.
        monkeypatch.setattr("app.desktop.printers.addresses.is_own_address", lambda _: False)
        named_printer = Printer("x", "Bench", "tcp", f"127.0.0.1:{printer.port}", "zpl")
        with pytest.raises(PrinterAddressRejected):
            await TcpPrinter().send(PrintJob(named_printer, (b"^XA^XZ",)), Progress())
        printer.close()
        assert printer.jobs == []

    @pytest.mark.parametrize(
        ("host", "is_own"),
        [
            ("::1", True),
            ("::ffff:127.0.0.1", True),
            ("fe80::1%eth0", False),
            ("224.0.0.1", True),
            ("192.168.1.9", False),
            ("192.168.265", False),
            ("zebra.lab", False),
        ],
    )
    def test_knows_the_addresses_of_this_computer(self, host: str, is_own: bool) -> None:
        assert is_own_address(host) is is_own

    def test_rejects_names_of_this_computer_before_connecting(
        self, portal_url: str, tmp_path: Path, ui_dir: Path
    ) -> None:
        address = find_network_address()
        hosts = (address, str(int.from_bytes(socket.inet_aton(address))), socket.gethostname())
        with (
            run_sidecar(portal_url, tmp_path / "c", ui_dir, local_printers=False) as sidecar,
            sidecar.open_page() as page,
        ):
            for host in hosts:
                body = {"name": "Bench", "host": host, "port": 9100}
                answer = page.post("/device/printers", json=body)
                assert answer.status_code == 400, host
                assert [error["field"] for error in answer.json()["errors"]] == ["host"]
        assert not any(is_own_address(host) for host in ("192.0.2.77", "2001:db8::77"))


class TestSettings:
    """An administrator may allow printers at any address."""

    @pytest.mark.parametrize(
        ("variable", "stored_values", "is_allowed"),
        [
            (None, {}, False),
            ("true", {}, True),
            (None, {"localPrinters": True}, True),
            ("false", {"localPrinters": True}, False),
        ],
    )
    def test_reads_allowed_addresses_from_the_environment_or_the_file(
        self,
        tmp_path: Path,
        ui_dir: Path,
        monkeypatch: pytest.MonkeyPatch,
        variable: str | None,
        stored_values: dict[str, object],
        is_allowed: bool,
    ) -> None:
        monkeypatch.setenv("PORTAL_DESKTOP_DIR", str(tmp_path))
        monkeypatch.setenv("PORTAL_UI_DIR", str(ui_dir))
        monkeypatch.delenv("PORTAL_LOCAL_PRINTERS", raising=False)
        if variable is not None:
            monkeypatch.setenv("PORTAL_LOCAL_PRINTERS", variable)
        (tmp_path / "desktop.json").write_text(json.dumps(stored_values))
        assert read_settings(parse_arguments([])).local_printers is is_allowed


class TestRedirects:
    """Redirects of the portal, whose addresses the page cannot reach."""

    @pytest.mark.parametrize(
        ("location", "path"),
        [
            ("https://lab.test/portal/api/x?y=1", "/api/x?y=1"),
            ("/portal/api/x", "/api/x"),
            ("https://lab.test:443/portal/api/x", "/api/x"),
        ],
    )
    async def test_turns_redirects_within_the_portal_into_paths(
        self, location: str, path: str
    ) -> None:
        portal = Portal("https://lab.test/portal")
        headers = portal.rewrite_location([(b"location", location.encode()), (b"x", b"y")])
        await portal.aclose()
        assert headers == [(b"location", path.encode()), (b"x", b"y")]

    @pytest.mark.parametrize(
        "location",
        [
            "https://elsewhere.test/portal/api/x",
            "http://lab.test/portal/api/x",
            "https://lab.test:444/portal/api/x",
            "//elsewhere.test/portal/",
            "/other/api",
            "https://lab.test/portalx/",
            "https://lab.test/portal//elsewhere.test/api/x",
            "https://lab.test/portal/\\elsewhere.test/api/x",
            "https://lab.test/portal/%2F/elsewhere.test/api/x",
            "https://lab.test/portal/../api/x",
            "javascript:alert(1)",
        ],
    )
    async def test_rejects_redirects_to_other_hosts(self, location: str) -> None:
        portal = Portal("https://lab.test/portal")
        with pytest.raises(PortalUnreachable):
            portal.rewrite_location([(b"location", location.encode())])
        await portal.aclose()


class TestTokens:
    """Tokens in answers, which no page of ours may see."""

    def test_removes_tokens_at_any_depth(self) -> None:
        content = {"a": [{"token": "x", "b": {"refreshToken": "y", "c": 1}}], "d": "token"}
        assert remove_tokens(content)
        assert content == {"a": [{"b": {"c": 1}}], "d": "token"}
        assert not remove_tokens(content)

    def test_pages_get_no_tokens(self, signed_in_page: httpx.Client) -> None:
        answer = signed_in_page.get("/auth/nested")
        assert answer.status_code == 200
        assert "secret" not in answer.text

    def test_pages_get_no_answer_whose_tokens_cannot_be_removed(
        self, signed_in_page: httpx.Client
    ) -> None:
        answer = signed_in_page.get("/auth/compressed")
        assert answer.status_code == 503
        assert "token" not in answer.text
