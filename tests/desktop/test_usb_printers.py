"""Printers at the USB nodes of Linux, with a terminal or a pipe in place of the node."""

import asyncio
import os
import shutil
import threading
import tty
from collections.abc import Iterator
from pathlib import Path
from select import select
from types import SimpleNamespace
from typing import Any

import pytest

from app.desktop.application import Workstation
from app.desktop.errors import PrinterTimedOut, PrinterUnreachable
from app.desktop.printers import usb as usb_module
from app.desktop.printers.port import Printer, PrintJob, Progress
from app.desktop.printers.usb import UsbPrinters, parse_status
from tests.desktop.conftest import SIGN_IN
from tests.desktop.host import run_sidecar
from tests.desktop.printing import print_to

ZEBRA = "MFG:Zebra Technologies ;CMD:ZPL;MDL:ZTC ZD421-300dpi ZPL;CLS:PRINTER;SN:D2N1;"
LASER = "MFG:HP;CMD:PJL,PCL;MDL:LaserJet 400;CLS:PRINTER;SN:X1;"


class Node:
    """A node, and what its printer has received."""

    def __init__(self, folder: Path, name: str, description: str) -> None:
        self.nodes, self.descriptions = folder / "dev", folder / "sys"
        self._printer, self._node = os.openpty()
        tty.setraw(self._node)
        self.nodes.mkdir(exist_ok=True)
        self._description = description
        self.plug_in(name)

    def plug_in(self, name: str) -> None:
        """Give the printer a node; it keeps an earlier one until ``free`` is called."""
        (self.nodes / name).symlink_to(os.ttyname(self._node))
        device = self.descriptions / name / "device"
        device.mkdir(parents=True)
        (device / "ieee1284_id").write_text(self._description)

    def free(self, name: str) -> None:
        """Remove a node, as the kernel does when the cable is pulled."""
        (self.nodes / name).unlink()
        shutil.rmtree(self.descriptions / name)

    def read(self, length: int) -> bytes:
        """Receive this many bytes."""
        received = b""
        while len(received) < length:
            received += os.read(self._printer, length - len(received))
        return received

    def has_received(self) -> bool:
        """Whether the printer has received anything that was not read."""
        return bool(select([self._printer], [], [], 0)[0])

    def close(self) -> None:
        """Unplug the printer."""
        os.close(self._printer)
        os.close(self._node)


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Node]:
    """A Zebra at ``lp0``."""
    plugged_node = Node(tmp_path, "lp0", ZEBRA)
    yield plugged_node
    plugged_node.close()


@pytest.fixture
def usb(node: Node) -> UsbPrinters:
    """The printers at the nodes of the test."""
    return UsbPrinters(node.nodes, node.descriptions, silent_seconds=0.5)


class TestDiscovery:
    async def test_lists_label_printers_by_their_descriptions(
        self, tmp_path: Path, node: Node, usb: UsbPrinters
    ) -> None:
        laser = Node(tmp_path, "lp1", LASER)
        laser.close()
        assert await usb.list_printers() == [
            Printer(
                id="usb:D2N1",
                name="ZTC ZD421-300dpi ZPL",
                kind="usb",
                address=str(node.nodes / "lp0"),
                language="zpl",
                dpi=300,
            )
        ]

    async def test_lists_nothing_without_nodes(self, tmp_path: Path) -> None:
        assert await UsbPrinters(tmp_path / "none", tmp_path / "none").list_printers() == []


class TestPrinting:
    def test_sends_labels_from_the_app(
        self, tmp_path: Path, portal_url: str, ui_dir: Path, node: Node, usb: UsbPrinters
    ) -> None:
        station = Workstation(keyring=lambda: None, ports={"usb": usb}, systems=(usb,))
        with (
            run_sidecar(portal_url, tmp_path / "config", ui_dir, station) as host,
            host.open_page() as page,
        ):
            assert page.post("/auth/login", json=SIGN_IN).status_code == 200
            [printer] = page.get("/device/printers").json()
            assert (printer["name"], printer["kind"]) == ("ZTC ZD421-300dpi ZPL", "usb")
            assert print_to(page, printer["id"]).status_code == 200
            [record] = page.get("/device/print-jobs").json()
        assert (record["state"], record["printed"]) == ("sent", 1)
        assert node.read(3) == b"^XA"

    async def test_reports_a_printer_that_stops(
        self, tmp_path: Path, usb: UsbPrinters, node: Node
    ) -> None:
        [printer] = await usb.list_printers()
        progress = Progress()
        size = 1_000_000  # more than a terminal's buffer holds
        with pytest.raises(PrinterTimedOut):
            await usb.send(PrintJob(printer, (b"x", b"y" * size)), progress)
        assert (progress.delivered, progress.printed) == (2, 0)

    async def test_continues_while_the_printer_accepts_data(
        self, usb: UsbPrinters, node: Node
    ) -> None:
        [printer] = await usb.list_printers()
        labels = (b"a" * 100_000, b"b" * 100_000)
        received_blocks: list[bytes] = []
        reader = threading.Thread(target=lambda: received_blocks.append(node.read(200_000)))
        reader.start()
        progress = Progress()
        assert await usb.send(PrintJob(printer, labels), progress) is False
        reader.join()
        assert received_blocks == [b"".join(labels)]
        assert progress.delivered == 2

    async def test_closes_the_node_after_the_printer_has_everything(
        self, usb: UsbPrinters, node: Node, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The kernel drops what it has not transferred when the node is closed."""
        steps: list[str] = []

        def record(name: str, act: Any) -> Any:
            def call(*arguments: Any) -> Any:
                steps.append(name)
                return act(*arguments)

            return call

        monkeypatch.setattr(usb_module, "select", SimpleNamespace(select=record("wait", select)))
        monkeypatch.setattr(os, "write", record("write", os.write))
        [printer] = await usb.list_printers()
        await usb.send(PrintJob(printer, (b"one", b"two")), Progress())
        assert steps == ["wait", "write", "wait"] * 2

    async def test_ends_the_current_label_when_the_app_closes(
        self, usb: UsbPrinters, node: Node
    ) -> None:
        [printer] = await usb.list_printers()
        progress = Progress()
        labels = (b"x" * 1_000_000, b"y")
        sending = asyncio.create_task(usb.send(PrintJob(printer, labels), progress))
        while not progress.delivered:
            await asyncio.sleep(0.01)
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending
        assert progress.stop.is_set()
        assert progress.delivered == 1

    async def test_finds_the_node_of_a_printer_that_was_plugged_in_again(
        self, tmp_path: Path, usb: UsbPrinters, node: Node
    ) -> None:
        [printer] = await usb.list_printers()
        other_printer = Node(tmp_path, "lp1", ZEBRA.replace("D2N1", "OTHER"))
        other_printer.free("lp1")
        node.free("lp0")
        node.plug_in("lp1")
        other_printer.plug_in("lp0")
        await usb.send(PrintJob(printer, (b"^XA^XZ",)), Progress())
        assert node.read(6) == b"^XA^XZ"
        assert other_printer.has_received() is False
        assert not (await usb.read_status(printer)).is_known
        other_printer.close()

    async def test_another_printer_at_the_node_prints_nothing(
        self, tmp_path: Path, usb: UsbPrinters, node: Node
    ) -> None:
        [printer] = await usb.list_printers()
        node.free("lp0")
        other_printer = Node(tmp_path, "lp0", ZEBRA.replace("D2N1", "OTHER"))
        progress = Progress()
        with pytest.raises(PrinterUnreachable):
            await usb.send(PrintJob(printer, (b"^XA^XZ",)), progress)
        with pytest.raises(PrinterUnreachable):
            await usb.read_status(printer)
        assert other_printer.has_received() is False
        assert progress.delivered == 0
        other_printer.close()

    def test_prints_from_the_app_after_it_was_plugged_in_again(
        self, tmp_path: Path, portal_url: str, ui_dir: Path, node: Node, usb: UsbPrinters
    ) -> None:
        station = Workstation(keyring=lambda: None, ports={"usb": usb}, systems=(usb,))
        with (
            run_sidecar(portal_url, tmp_path / "config", ui_dir, station) as host,
            host.open_page() as page,
        ):
            assert page.post("/auth/login", json=SIGN_IN).status_code == 200
            [printer] = page.get("/device/printers").json()
            node.free("lp0")
            node.plug_in("lp3")
            assert print_to(page, printer["id"]).status_code == 200
        assert node.read(3) == b"^XA"

    async def test_an_unplugged_printer_prints_nothing(self, tmp_path: Path) -> None:
        printer = Printer("usb:1", "Gone", "usb", str(tmp_path / "lp9"), "zpl")
        with pytest.raises(PrinterUnreachable):
            await UsbPrinters().send(PrintJob(printer, (b"x",)), Progress())


class TestStatus:
    def test_reads_the_bits_of_the_port(self) -> None:
        assert parse_status(0x18).problems == ()
        assert parse_status(0x38).problems == ("paper-out",)
        assert parse_status(0x08).problems == ("offline",)
        assert parse_status(0x10).problems == ("error",)

    async def test_status_is_unknown_if_the_driver_reports_none(self, usb: UsbPrinters) -> None:
        [printer] = await usb.list_printers()
        assert not (await usb.read_status(printer)).is_known


def test_names_who_changed_a_printer(
    tmp_path: Path, portal_url: str, ui_dir: Path, node: Node, usb: UsbPrinters
) -> None:
    station = Workstation(keyring=lambda: None, ports={"usb": usb}, systems=(usb,))
    with (
        run_sidecar(portal_url, tmp_path / "config", ui_dir, station) as host,
        host.open_page() as page,
    ):
        user = page.post("/auth/login", json=SIGN_IN).json()["user"]
        [printer] = page.get("/device/printers").json()
        assert (printer["changedBy"], printer["changedAt"]) == (None, None)
        page.put(f"/device/printers/{printer['id']}", json={"size": "3x1"})
        [printer] = page.get("/device/printers").json()
        assert printer["changedBy"] == user["firstName"]
        assert printer["changedAt"]
        page.post("/auth/logout")
        page.put(f"/device/printers/{printer['id']}", json={"size": "2x1"})
        assert page.get("/device/printers").json()[0]["changedBy"] is None
        assert page.get("/capabilities").json()["workstation"]
