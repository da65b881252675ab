"""Printing through the Windows spooler, against an object with pywin32's calls."""

import asyncio
import base64

import pytest

from app.desktop.errors import (
    PrinterNotReady,
    PrinterRefused,
    PrinterStopped,
    PrinterTimedOut,
    PrinterUnreachable,
)
from app.desktop.printers.port import Printer, PrintJob, Progress
from app.desktop.printers.spooler import SpoolerPrinters
from tests.desktop.printing import PICTURE, FakeSpooler, install_fake_driver

# JOB_STATUS_... of winspool.h.
_DELETING, _PRINTING, _OFFLINE, _PAPER_OUT, _PRINTED, _DELETED = 0x4, 0x10, 0x20, 0x40, 0x80, 0x100
_COMPLETE, _RETAINED = 0x1000, 0x2000
_PRINTER_STATUS_PAPER_OUT = 0x10


class TestWindowsSpooler:
    @staticmethod
    def build_job(name: str = "ZDesigner ZPL") -> PrintJob:
        printer = Printer(f"windows:{name}", name, "windows", name, "zpl")
        return PrintJob(printer, (b"^XA^XZ" * 500,))

    async def test_lists_the_printers(self) -> None:
        printers = await SpoolerPrinters(FakeSpooler()).list_printers()
        summary = [(p.name, p.language, p.dpi, p.is_default) for p in printers]
        assert summary == [
            ("ZDesigner ZPL", "zpl", 203, True),
            ("Eltron EPL2", "epl", 203, False),
            ("Laser", None, 203, False),
            ("Bench", "zpl", 300, False),  # by its driver
        ]

    async def test_sends_complete_commands_raw(self) -> None:
        spool = FakeSpooler()
        await SpoolerPrinters(spool).send(self.build_job(), Progress())
        assert spool.printed == b"^XA^XZ" * 500
        assert spool.documents == [("Labels", None, "RAW")]
        assert spool.open_handles == 0 and spool.deleted == []

    async def test_deletes_a_job_that_does_not_end(self) -> None:
        spool = FakeSpooler(leaves_after=99)
        with pytest.raises(PrinterTimedOut):
            await SpoolerPrinters(spool, job_seconds=0.4).send(self.build_job(), Progress())
        assert spool.deleted == [41] and spool.open_handles == 0

    async def test_reports_an_offline_printer(self) -> None:
        spool = FakeSpooler(status=_OFFLINE, leaves_after=99)
        with pytest.raises(PrinterRefused):
            await SpoolerPrinters(spool).send(self.build_job(), Progress())
        assert spool.deleted == [41]

    @pytest.mark.parametrize("status", [_DELETING, _DELETED, _PRINTING | _DELETING])
    async def test_reports_a_job_that_somebody_deleted(self, status: int) -> None:
        progress = Progress()
        with pytest.raises(PrinterRefused) as raised:
            spool = FakeSpooler(status=status, leaves_after=99)
            await SpoolerPrinters(spool).send(self.build_job(), progress)
        assert "canceled" in raised.value.detail
        assert (progress.delivered, progress.printed) == (1, 0)

    async def test_a_printed_job_that_leaves_the_queue_is_passed_on(self) -> None:
        progress = Progress()
        spool = FakeSpooler(status=_PRINTED | _DELETING, leaves_after=99)
        await SpoolerPrinters(spool).send(self.build_job(), progress)
        assert (progress.delivered, progress.printed) == (1, 1)

    @pytest.mark.parametrize(
        "status", [_PRINTED, _PRINTED | _RETAINED, _RETAINED, _COMPLETE, _PRINTED | _PAPER_OUT]
    )
    async def test_a_job_that_stays_in_the_queue_after_printing_is_passed_on(
        self, status: int
    ) -> None:
        """As with 'Keep printed documents'."""
        progress = Progress()
        spool = FakeSpooler(status=status, leaves_after=99)
        await SpoolerPrinters(spool, job_seconds=0.4).send(self.build_job(), progress)
        assert (progress.delivered, progress.printed) == (1, 1)
        assert spool.deleted == [] and spool.open_handles == 0

    @pytest.mark.parametrize("status", [_PAPER_OUT, _COMPLETE | _PAPER_OUT])
    async def test_says_what_the_job_waits_for_and_can_be_stopped(self, status: int) -> None:
        spool, progress = FakeSpooler(status=status, leaves_after=99), Progress()
        sending = asyncio.create_task(SpoolerPrinters(spool).send(self.build_job(), progress))
        while progress.waits_for != ("paper-out",):
            assert not sending.done()
            await asyncio.sleep(0.01)
        progress.stop.set()
        with pytest.raises(PrinterStopped) as raised:
            await sending
        assert "out of labels" in raised.value.detail
        assert spool.deleted == [41] and spool.open_handles == 0

    async def test_sends_nothing_to_a_printer_that_is_not_ready(self) -> None:
        spool = FakeSpooler(printer_status=_PRINTER_STATUS_PAPER_OUT)
        with pytest.raises(PrinterNotReady) as raised:
            await SpoolerPrinters(spool).send(self.build_job(), Progress())
        assert "out of labels" in raised.value.detail
        assert spool.documents == []

    async def test_reports_a_missing_printer(self) -> None:
        with pytest.raises(PrinterUnreachable):
            await SpoolerPrinters(FakeSpooler()).send(self.build_job("gone"), Progress())


class TestPictures:
    """Pictures go through the driver, and their jobs are watched to the end, too."""

    @staticmethod
    def build_job() -> PrintJob:
        printer = Printer("windows:Laser", "Laser", "windows", "Laser", None)
        return PrintJob(printer, (base64.b64decode(PICTURE),), "png")

    async def test_are_watched_until_they_have_left_the_queue(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        spool, progress = FakeSpooler(leaves_after=2), Progress()
        areas: list[object] = []
        install_fake_driver(monkeypatch, spool.steps, lambda _, area: areas.append(area))
        await SpoolerPrinters(spool).send(self.build_job(), progress)
        # 40 by 20 dots, on a page of 400 by 300.
        assert areas == [(0, 0, 400, 200)]
        assert spool.documents == [("Labels", None, "driver")]
        assert spool.steps == ["open Laser", "page", "end of page", "end", "close"]
        assert (progress.delivered, progress.printed) == (1, 1)
        assert spool.open_handles == 0

    @pytest.mark.parametrize(
        ("status", "error"),
        [(_OFFLINE, PrinterRefused), (_DELETED, PrinterRefused), (_PRINTING, PrinterTimedOut)],
    )
    async def test_that_are_not_printed_have_failed(
        self, monkeypatch: pytest.MonkeyPatch, status: int, error: type[Exception]
    ) -> None:
        spool, progress = FakeSpooler(status=status, leaves_after=99), Progress()
        install_fake_driver(monkeypatch, spool.steps, lambda *_: None)
        with pytest.raises(error):
            await SpoolerPrinters(spool, job_seconds=0.4).send(self.build_job(), progress)
        assert (progress.delivered, progress.printed) == (1, 0)

    async def test_that_cannot_be_drawn_print_nothing(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise RuntimeError("out of memory")

        spool = FakeSpooler()
        install_fake_driver(monkeypatch, spool.steps, fail)
        with pytest.raises(PrinterUnreachable):
            await SpoolerPrinters(spool).send(self.build_job(), Progress())
        assert spool.steps == ["open Laser", "page", "abort", "close"]
        assert spool.open_handles == 0
