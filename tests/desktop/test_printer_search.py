"""The search for label printers: real packets on the loopback network."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from app.desktop.printers import search
from app.desktop.printers.dns_sd import QUERY, parse_addresses
from app.desktop.printers.search import PrinterSearch
from app.desktop.printers.tcp import TcpPrinter
from tests.desktop.zebra import Zebra
from tests.standins.ports import reserve_port

AVAHI = bytes.fromhex(
    "0000840000010005000000000f5f70646c2d6461746173747265616d045f746370056c6f63616c00000c8001"
    "c00c000c00010000000a000e0b5a65627261205a44343231c00cc038001000010000000a000f0e74793d5a65"
    "627261205a44343231c038002100010000000a00130000000017d50a6c61627072696e746572c021c073001c"
    "00010000000a0010fd000000000000000000000000000002c073000100010000000a0004c0000202"
)
"""The answer of Avahi 0.8 to ``QUERY`` for 'Zebra ZD421' at 192.0.2.2, port 6101."""

BROADCAST = bytes.fromhex("2e2c3a010000")
"""The question to Zebra printers on port 4201."""


@contextmanager
def run_responder(answers: list[bytes]) -> Iterator[tuple[tuple[str, int], list[bytes]]]:
    """Answer each question with these packets, and yield its address and the questions."""
    questions: list[bytes] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as responder:
        responder.bind(("127.0.0.1", 0))

        def respond() -> None:
            while True:
                question, sender = responder.recvfrom(9000)
                if not question:
                    return
                questions.append(question)
                for answer in answers:
                    responder.sendto(answer, sender)

        thread = threading.Thread(target=respond)
        thread.start()
        try:
            yield responder.getsockname(), questions
        finally:
            responder.sendto(b"", responder.getsockname())
            thread.join()


def build_announcement(port: int) -> bytes:
    """Build Avahi's answer for a printer at this computer."""
    here = AVAHI.replace(bytes([192, 0, 2, 2]), bytes([127, 0, 0, 1]))
    return here.replace(struct.pack(">H", 6101), struct.pack(">H", port))


@pytest.fixture
def zebras() -> Iterator[tuple[Zebra, Zebra]]:
    """Two network printers that report their models."""
    pair = Zebra(), Zebra(model="ZT411-300dpi,V92.21.39Z,12,8176KB")
    yield pair
    for printer in pair:
        printer.close()


@pytest.mark.parametrize("allows_any_address", [True, False])
async def test_lists_printers_that_answer_dns_sd_or_the_broadcast(
    monkeypatch: pytest.MonkeyPatch, zebras: tuple[Zebra, Zebra], allows_any_address: bool
) -> None:
    announcing_printer, answering_printer = zebras
    monkeypatch.setattr(search, "_RAW_PORT", answering_printer.port)
    announcement = build_announcement(announcing_printer.port)
    broken_packets = [b"\0" * 12, announcement[:-7], b"\xff" * 40]
    reply = bytes.fromhex("3a2c2e040600") + b"ZT411".ljust(80, b"\0")
    with ExitStack() as stack:
        mdns, questions = stack.enter_context(run_responder([announcement, announcement]))
        broadcast, others = stack.enter_context(run_responder([reply]))
        monkeypatch.setattr(search, "_MDNS", mdns)
        monkeypatch.setattr(search, "_ZEBRA", broadcast)
        finder = PrinterSearch(
            TcpPrinter(allows_any_address=True), allows_any_address=allows_any_address
        )
        printers = await finder.ask_network()
    assert (questions, others) == ([QUERY], [BROADCAST])
    listed_printers = {
        (printer.host, printer.port, printer.model, printer.dpi) for printer in printers
    }
    if allows_any_address:
        assert listed_printers == {
            ("127.0.0.1", announcing_printer.port, "ZD420-203dpi", 203),
            ("127.0.0.1", answering_printer.port, "ZT411-300dpi", 300),
        }
    else:
        assert listed_printers == set()  # printers at this computer are not listed
    assert [parse_addresses(data) for data in broken_packets] == [[], [], []]


async def test_lists_a_printer_that_accepts_no_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The printer answers the search while it is busy printing for another computer."""
    with reserve_port() as port, ExitStack() as stack:
        mdns, _ = stack.enter_context(run_responder([build_announcement(port)]))
        broadcast, _ = stack.enter_context(run_responder([]))
        monkeypatch.setattr(search, "_MDNS", mdns)
        monkeypatch.setattr(search, "_ZEBRA", broadcast)
        finder = PrinterSearch(TcpPrinter(allows_any_address=True), allows_any_address=True)
        printers = await finder.ask_network()
    assert [(printer.port, printer.model) for printer in printers] == [(port, None)]


def test_reads_the_answer_of_avahi() -> None:
    assert parse_addresses(AVAHI) == [("192.0.2.2", 6101)]


def test_finds_no_printer_in_a_truncated_answer() -> None:
    assert [parse_addresses(AVAHI[:length]) for length in range(len(AVAHI))] == [[]] * len(AVAHI)
