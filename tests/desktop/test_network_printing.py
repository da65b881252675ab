"""Raw printing to network printers, by real connections."""

import asyncio
import base64
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from app.contract import messages
from app.desktop.errors import (
    PrinterNotReady,
    PrinterStopped,
    PrinterTimedOut,
    PrinterUnreachable,
)
from app.desktop.printers.connection import Connection
from app.desktop.printers.port import Printer, PrintJob, Progress
from app.desktop.printers.status import PrinterStatus
from app.desktop.printers.tcp import TcpPrinter
from app.desktop.printers.zebra import Identity
from tests.desktop.printing import PICTURE, add_printer, build_job, build_label, print_to
from tests.desktop.standins import StandInPrinter
from tests.desktop.zebra import Zebra


@pytest.fixture
def printer() -> Iterator[StandInPrinter]:
    """A network printer that is switched on and never answers."""
    stand_in = StandInPrinter()
    yield stand_in
    stand_in.close()


class TestSilentPrinter:
    def test_sends_complete_zpl_in_order(self, page: httpx.Client, printer: StandInPrinter) -> None:
        key = add_printer(page, printer.port)
        answer = print_to(page, key, 2, build_label(1), build_label(2))
        assert answer.json() == {"printed": 4}
        one_set = "".join(build_label(n)["zpl"] + "\n" for n in (1, 2)).encode()
        assert printer.wait_for_jobs() == [one_set * 2]

    def test_sends_epl_in_its_code_page(self, page: httpx.Client, printer: StandInPrinter) -> None:
        print_to(page, add_printer(page, printer.port, "Old EPL"))
        assert printer.wait_for_jobs() == [build_label()["epl"].encode("latin-1")]

    def test_prints_the_image_if_the_language_is_unknown(
        self, page: httpx.Client, printer: StandInPrinter
    ) -> None:
        print_to(page, add_printer(page, printer.port, "Label printer"), 2)
        assert printer.wait_for_jobs() == [base64.b64decode(PICTURE) * 2]

    def test_prefers_the_language_setting_to_the_name(
        self, page: httpx.Client, printer: StandInPrinter
    ) -> None:
        print_to(page, add_printer(page, printer.port, "Zebra in EPL mode", language="epl"))
        assert printer.wait_for_jobs()[0].startswith(b"\nN\n")

    def test_sends_a_long_job_completely(self, page: httpx.Client, printer: StandInPrinter) -> None:
        big_label = {**build_label(), "zpl": "^XA" + "^FDx^FS" * 50_000 + "^XZ"}
        assert (
            print_to(
                page, add_printer(page, printer.port), 1, big_label, big_label, big_label
            ).status_code
            == 200
        )
        assert printer.wait_for_jobs() == [(big_label["zpl"] + "\n").encode() * 3]

    def test_does_not_mix_the_jobs_of_two_windows(
        self, page: httpx.Client, printer: StandInPrinter
    ) -> None:
        key = add_printer(page, printer.port)
        with ThreadPoolExecutor(6) as pool:
            statuses = list(
                pool.map(lambda n: print_to(page, key, 3, build_label(n)).status_code, range(6))
            )
        assert statuses == [200] * 6
        expected = sorted((build_label(n)["zpl"] + "\n").encode() * 3 for n in range(6))
        assert sorted(printer.wait_for_jobs(6)) == expected

    def test_reports_a_printer_that_is_off(
        self, page: httpx.Client, printer: StandInPrinter
    ) -> None:
        key = add_printer(page, printer.port)
        printer.close()
        answer = print_to(page, key)
        assert answer.status_code == 503
        assert answer.json()["code"] == "printer_unreachable"
        expected = messages.PRINTER_UNREACHABLE.format(printer="Zebra bench")
        assert answer.json()["detail"] == expected

    def test_does_not_queue_jobs_for_a_printer_that_is_off(
        self, page: httpx.Client, printer: StandInPrinter
    ) -> None:
        key = add_printer(page, printer.port)
        printer.close()
        print_to(page, key)
        new_printer = StandInPrinter()
        page.put(f"/device/printers/{key}", json={"port": new_printer.port})
        print_to(page, key, 1, build_label(2))
        assert new_printer.wait_for_jobs() == [(build_label(2)["zpl"] + "\n").encode()]
        new_printer.close()

    @pytest.mark.parametrize("byte_count", [200_000, 20_000_000])
    async def test_reports_a_printer_that_stalls(self, byte_count: int) -> None:
        stalled_printer = StandInPrinter(stalls=True)
        job = PrintJob(build_network_printer(stalled_printer.port), (b"^" * byte_count,))
        with pytest.raises(PrinterTimedOut) as raised:
            await build_port(stall_seconds=0.4).send(job, Progress())
        assert raised.value.detail == messages.PRINTER_TIMED_OUT.format(printer="Bench")
        stalled_printer.close()

    async def test_reports_a_printer_that_resets_the_connection(self) -> None:
        stand_in = StandInPrinter(resets_after=1_000)
        with pytest.raises(PrinterTimedOut):
            await build_port().send(
                PrintJob(build_network_printer(stand_in.port), (b"^" * 5_000_000,)), Progress()
            )
        stand_in.close()

    async def test_notices_a_reset_after_the_last_byte(self) -> None:
        """The printer resets the connection after everything was written, instead of closing it."""
        labels = build_job(build_network_printer(0), 11).labels
        stand_in = StandInPrinter(resets_after=sum(len(label) for label in labels))
        port, progress = build_port(), Progress()
        with pytest.raises(PrinterTimedOut):
            await port.send(PrintJob(build_network_printer(stand_in.port), labels), progress)
        assert (progress.delivered, progress.printed) == (11, 0)
        stand_in.close()

    async def test_reports_an_address_that_does_not_answer(self) -> None:
        unreachable = Printer("x", "Bench", "tcp", "192.0.2.1:9100", "zpl")
        with pytest.raises(PrinterUnreachable):
            await TcpPrinter(connect_seconds=0.3).send(build_job(unreachable), Progress())


def build_network_printer(port: int) -> Printer:
    return Printer("x", "Bench", "tcp", f"127.0.0.1:{port}", "zpl")


def build_port(**more: float) -> TcpPrinter:
    settings = {"answer_seconds": 0.2, "close_seconds": 1.0, **more}
    return TcpPrinter(**settings, allows_any_address=True)


class LatePrinter(TcpPrinter):
    """Counts the answers that did not arrive in time; the test says when time is short."""

    missing_answers = 0

    def hurry(self) -> None:
        self._answer_seconds = 0.05

    async def _read_answer(self, connection: Connection) -> PrinterStatus | None:
        status = await super()._read_answer(connection)
        self.missing_answers += status is None
        return status


class TestSpeakingPrinter:
    """A printer that answers '~HS' and '~HI'."""

    @pytest.fixture
    def zebra(self) -> Iterator[Zebra]:
        stand_in = Zebra()
        yield stand_in
        stand_in.close()

    @staticmethod
    def build_job(zebra: Zebra, count: int = 1) -> PrintJob:
        return build_job(build_network_printer(zebra.port), count)

    async def test_confirms_that_all_labels_are_printed(self, zebra: Zebra) -> None:
        progress, job = Progress(), self.build_job(zebra, 11)
        assert await build_port().send(job, progress) is True
        assert (progress.delivered, progress.printed) == (11, 11)
        assert zebra.printed == list(job.labels)

    @pytest.mark.parametrize(
        ("trouble", "words"),
        [
            ({"paper": 0}, "out of labels"),
            ({"is_paused": True}, "paused"),
            ({"is_head_open": True}, "the head is open"),
        ],
    )
    async def test_sends_nothing_to_a_printer_that_is_not_ready(
        self, zebra: Zebra, trouble: dict[str, int], words: str
    ) -> None:
        for name, value in trouble.items():
            setattr(zebra, name, value)
        progress = Progress()
        with pytest.raises(PrinterNotReady) as raised:
            await build_port().send(self.build_job(zebra), progress)
        assert words in raised.value.detail
        assert zebra.received == [] and progress.delivered == 0

    async def test_reports_which_labels_were_printed_when_the_roll_ends(self, zebra: Zebra) -> None:
        zebra.paper = 2
        progress = Progress()
        with pytest.raises(PrinterStopped) as raised:
            await build_port(help_seconds=0.5).send(self.build_job(zebra, 11), progress)
        assert "out of labels" in raised.value.detail
        assert progress.printed == progress.delivered == len(zebra.received) == 2

    async def test_confirms_the_last_label_of_a_roll(self, zebra: Zebra) -> None:
        zebra.paper = 2
        assert await build_port().send(self.build_job(zebra, 2), Progress()) is True

    async def test_continues_when_somebody_loads_a_roll(self, zebra: Zebra) -> None:
        zebra.paper = 2
        progress = Progress()
        sending = asyncio.create_task(build_port().send(self.build_job(zebra, 11), progress))
        while progress.waits_for != ("paper-out",):
            assert not sending.done()
            await asyncio.sleep(0.01)
        zebra.resume()
        assert await sending is True
        assert len(zebra.printed) == progress.printed == 11

    async def test_gives_up_a_printer_that_stands_still(self, zebra: Zebra) -> None:
        zebra.prints = False
        progress = Progress()
        with pytest.raises(PrinterStopped) as raised:
            await build_port(stall_seconds=0.3).send(self.build_job(zebra, 11), progress)
        assert messages.PRINTER_STANDS_STILL in raised.value.detail
        assert progress.printed == 0

    @pytest.mark.parametrize("failure", ["resets_after", "closes_after", "hangs_after"])
    async def test_reports_which_labels_were_printed_when_the_connection_ends(
        self, zebra: Zebra, failure: str
    ) -> None:
        setattr(zebra, failure, 2)
        progress = Progress()
        with pytest.raises(PrinterTimedOut):
            await build_port().send(self.build_job(zebra, 11), progress)
        # The first was printed, the second may have been, and the others were not sent.
        assert (progress.printed, progress.delivered) == (1, 2)

    async def test_says_nothing_of_incomplete_labels_if_no_label_was_sent(self) -> None:
        """Something accepts the connection and closes it, as a printer that serves another one."""

        async def close(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.close()

        async with await asyncio.start_server(close, "127.0.0.1", 0) as server:
            printer = build_network_printer(server.sockets[0].getsockname()[1])
            progress = Progress()
            with pytest.raises(PrinterUnreachable):
                await build_port().send(build_job(printer), progress)
        assert progress.delivered == 0

    async def test_hands_over_nothing_after_stop(self, zebra: Zebra) -> None:
        zebra.paper = 2
        progress = Progress()
        sending = asyncio.create_task(build_port().send(self.build_job(zebra, 11), progress))
        while progress.waits_for != ("paper-out",):
            assert not sending.done()
            await asyncio.sleep(0.01)
        progress.stop.set()
        with pytest.raises(PrinterStopped):
            await sending
        assert len(zebra.received) == 2

    async def test_continues_when_the_printer_answers_late(self, zebra: Zebra) -> None:
        zebra.paper = 1
        progress, port = Progress(), LatePrinter(answer_seconds=30, allows_any_address=True)
        sending = asyncio.create_task(port.send(self.build_job(zebra, 2), progress))
        while progress.waits_for != ("paper-out",):
            assert not sending.done()
            await asyncio.sleep(0.01)
        zebra.can_answer.clear()
        port.hurry()
        while port.missing_answers < 2:
            assert not sending.done()
            await asyncio.sleep(0.01)
        zebra.resume()
        zebra.can_answer.set()
        assert await sending is True
        assert (progress.delivered, progress.printed) == (2, 2)

    async def test_a_question_about_the_state_does_not_end_the_confirmation(
        self, zebra: Zebra
    ) -> None:
        """A printer that is busy with another connection does not answer the printers dialog."""
        port = build_port()
        zebra.can_answer.clear()
        status = await port.read_status(build_network_printer(zebra.port))
        assert not status.is_known
        zebra.can_answer.set()
        assert await port.send(self.build_job(zebra), Progress()) is True

    async def test_a_printer_that_was_busy_once_confirms_its_next_labels(
        self, zebra: Zebra
    ) -> None:
        """It serves one connection at a time, so another computer's job delays its answer."""
        port = build_port()
        assert await port.send(self.build_job(zebra), Progress()) is True
        zebra.can_answer.clear()
        assert await port.send(self.build_job(zebra), Progress()) is False
        zebra.can_answer.set()
        assert await port.send(self.build_job(zebra), Progress()) is True

    async def test_a_printer_that_was_busy_at_its_first_job_is_asked_again(
        self, zebra: Zebra
    ) -> None:
        port = build_port(silent_seconds=0)
        zebra.can_answer.clear()
        assert await port.send(self.build_job(zebra), Progress()) is False
        zebra.can_answer.set()
        assert await port.send(self.build_job(zebra), Progress()) is True

    async def test_the_printers_dialog_asks_a_printer_that_jobs_do_not_ask(
        self, zebra: Zebra
    ) -> None:
        port = build_port()
        zebra.can_answer.clear()
        assert await port.send(self.build_job(zebra), Progress()) is False
        zebra.can_answer.set()
        assert (await port.read_status(build_network_printer(zebra.port))).is_known
        assert await port.send(self.build_job(zebra), Progress()) is True

    async def test_reports_status_model_and_density(self, zebra: Zebra) -> None:
        zebra.model = "ZD421-300dpi,V93.21.26Z,12,8176KB"
        zebra.is_paused, zebra.is_head_open = True, True
        port = build_port()
        status = await port.read_status(build_network_printer(zebra.port))
        assert set(status.problems) == {"paused", "head-open"}
        assert await port.identify(zebra.address) == Identity("ZD421-300dpi", 300)

    async def test_a_silent_printer_does_not_delay_the_next_job(
        self, printer: StandInPrinter
    ) -> None:
        port = build_port()
        for number in (1, 2):
            await port.send(build_job(build_network_printer(printer.port)), Progress())
            printer.wait_for_jobs(number)
        assert await port.identify(f"127.0.0.1:{printer.port}") is None
        assert b"~HS" not in printer.jobs[1]
