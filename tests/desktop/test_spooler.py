"""Printing through the Windows spooler, against an object with pywin32's calls."""

import pytest

from app.desktop.errors import (
    PrinterNotReady,
    PrinterRefused,
    PrinterTimedOut,
    PrinterUnreachable,
)
from app.desktop.printers.port import Printer, PrintJob, Progress
from app.desktop.printers.spooler import SpoolerPrinters
from tests.desktop.printing import FakeSpooler


class TestWindowsSpooler:
    @staticmethod
    def build_job(name: str = "ZDesigner ZPL") -> PrintJob:
        printer = Printer(f"windows:{name}", name, "windows", name, "zpl")
        return PrintJob(printer, (b"^XA^XZ" * 500,))

    async def test_lists_its_printers(self) -> None:
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
        spool = FakeSpooler(status=0x20, leaves_after=99)
        with pytest.raises(PrinterRefused):
            await SpoolerPrinters(spool).send(self.build_job(), Progress())
        assert spool.deleted == [41]

    async def test_sends_nothing_to_a_printer_that_is_not_ready(self) -> None:
        spool = FakeSpooler(printer_status=0x10)
        with pytest.raises(PrinterNotReady) as raised:
            await SpoolerPrinters(spool).send(self.build_job(), Progress())
        assert "out of labels" in raised.value.detail
        assert spool.documents == []

    async def test_reports_a_missing_printer(self) -> None:
        with pytest.raises(PrinterUnreachable):
            await SpoolerPrinters(FakeSpooler()).send(self.build_job("gone"), Progress())
