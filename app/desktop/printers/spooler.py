"""Prints RAW through the Windows spooler (pywin32): no driver changes the commands."""

import asyncio
import importlib
import io
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from app.contract import messages
from app.desktop.errors import (
    PrinterNotReady,
    PrinterRefused,
    PrinterStopped,
    PrinterTimedOut,
    PrinterUnreachable,
)
from app.desktop.printers.language import guess_density, guess_language
from app.desktop.printers.patience import HELP_SECONDS, Patience
from app.desktop.printers.port import DEFAULT_DPI, Printer, PrintJob, Progress
from app.desktop.printers.status import PrinterStatus, Problem, describe_problems

JOB_SECONDS = 20.0
_POLL_SECONDS = 0.25

# Values of winspool.h and wingdi.h; win32print does not name all of them.
_ENUM_LOCAL, _ENUM_CONNECTIONS = 0x2, 0x4
_JOB_ERROR = 0x2 | 0x20 | 0x200  # error, offline, blocked device queue
_JOB_DELETING = 0x4 | 0x100
_JOB_PRINTED, _JOB_COMPLETE, _JOB_RETAINED = 0x80, 0x1000, 0x2000
# What a job waits for: JOB_STATUS_... of winspool.h.
_JOB_PROBLEMS: tuple[tuple[int, Problem], ...] = (
    (0x1, "paused"),
    (0x40, "paper-out"),
    (0x400, "error"),
)
_CONTROL_DELETE = 5
_FIELDS_LEVEL = 2
# PRINTER_STATUS_... of winspool.h.
_PROBLEMS: tuple[tuple[int, Problem], ...] = (
    (0x1, "paused"),
    (0x2, "error"),
    (0x8, "jam"),
    (0x10, "paper-out"),
    (0x80, "offline"),
    (0x40000, "ribbon-out"),
    (0x400000, "head-open"),
    (0x1000, "offline"),
)
_HORZRES, _VERTRES = 8, 10
_QUEUED_JOBS_MAX = 1_000_000  # a queue that keeps its jobs has thousands


def find_spooler() -> "SpoolerPrinters | None":
    """Return the spooler of this machine, or ``None`` outside Windows."""
    if sys.platform != "win32":
        return None
    return SpoolerPrinters(importlib.import_module("win32print"))


class SpoolerPrinters:
    """The printers of the Windows spooler.

    ``win32print`` is a parameter because it exists on Windows only. Its calls block, so they run in
    a thread.
    """

    def __init__(
        self,
        win32print: Any,
        job_seconds: float = JOB_SECONDS,
        help_seconds: float = HELP_SECONDS,
    ) -> None:
        self._spool = win32print
        self._job_seconds = job_seconds
        self._help_seconds = help_seconds

    async def list_printers(self) -> list[Printer]:
        """Return the local and connected printers."""
        return await asyncio.to_thread(self._list_printers)

    def _list_printers(self) -> list[Printer]:
        try:
            default = self._spool.GetDefaultPrinter()
        except Exception:  # pywintypes.error: there is no default printer
            default = None
        printers = self._spool.EnumPrinters(_ENUM_LOCAL | _ENUM_CONNECTIONS)
        return [self._build_printer(name, is_default=name == default) for _, _, name, _ in printers]

    def _build_printer(self, name: str, *, is_default: bool) -> Printer:
        driver = str(self._read_fields(name).get("pDriverName", ""))
        return Printer(
            id=f"windows:{name}",
            name=name,
            kind="windows",
            address=name,
            language=guess_language(name, driver),
            dpi=guess_density(name, driver) or DEFAULT_DPI,
            is_default=is_default,
            is_raw=False,
        )

    def _read_fields(self, name: str) -> dict[str, Any]:
        """Return what the spooler knows about a printer; empty if the printer cannot be opened."""
        try:
            handle = self._spool.OpenPrinter(name)
        except Exception:  # pywintypes.error: a connection to a server that is off
            return {}
        try:
            fields: dict[str, Any] = self._spool.GetPrinter(handle, _FIELDS_LEVEL)
            return fields
        finally:
            self._spool.ClosePrinter(handle)

    async def read_status(self, printer: Printer) -> PrinterStatus:
        """Return the spooler's state of a printer, or raise ``PrinterUnreachable``."""
        fields = await asyncio.to_thread(self._read_fields, printer.address)
        if not fields:
            raise PrinterUnreachable(messages.PRINTER_UNREACHABLE.format(printer=printer.name))
        problems = _find_problems(_PROBLEMS, fields.get("Status", 0))
        return PrinterStatus(problems=problems, waiting=int(fields.get("cJobs", 0)))

    async def send(self, job: PrintJob, progress: Progress) -> bool:
        """Queue each label and wait until it has left the queue. See ``PrintPort``."""
        status = await self.read_status(job.printer)
        if status.problems:
            reasons = describe_problems(status.problems)
            raise PrinterNotReady(
                messages.PRINTER_NOT_READY.format(printer=job.printer.name, reasons=reasons)
            )
        send = self._print_image if job.form == "png" else self._send
        for label in job.labels:
            if progress.stop.is_set():
                break
            progress.delivered += 1
            await asyncio.to_thread(send, job, label, progress)
            progress.printed += 1
        return False

    @contextmanager
    def _open_printer(self, printer: Printer) -> Iterator[Any]:
        """Yield a handle of the printer; calls that fail raise ``PrinterUnreachable``."""
        try:
            handle = self._spool.OpenPrinter(printer.address)
            try:
                yield handle
            finally:
                self._spool.ClosePrinter(handle)
        except (PrinterTimedOut, PrinterRefused, PrinterStopped):
            raise
        except Exception as error:
            text = messages.PRINTER_UNREACHABLE.format(printer=printer.name)
            raise PrinterUnreachable(text) from error

    def _send(self, job: PrintJob, data: bytes, progress: Progress) -> None:
        with self._open_printer(job.printer) as handle:
            number = self._spool.StartDocPrinter(handle, 1, (job.title, None, "RAW"))
            try:
                self._spool.StartPagePrinter(handle)
                sent_bytes = 0
                while sent_bytes < len(data):
                    written_bytes = self._spool.WritePrinter(handle, data[sent_bytes:])
                    if written_bytes <= 0:
                        raise OSError("the spooler accepted no data")
                    sent_bytes += written_bytes
                self._spool.EndPagePrinter(handle)
            except Exception:
                self._spool.SetJob(handle, number, 0, None, _CONTROL_DELETE)
                raise
            finally:
                self._spool.EndDocPrinter(handle)
            self._wait_for_end(handle, number, job.printer, progress)

    def _wait_for_end(self, handle: Any, number: int, printer: Printer, progress: Progress) -> None:
        """Wait until the spooler has passed the job on; delete it after an error or the time limit.

        A printer with 'Keep printed documents' leaves the job in its queue, marked as printed.
        """
        patience = Patience(self._job_seconds, self._help_seconds)
        while True:
            queued_jobs = self._spool.EnumJobs(handle, 0, _QUEUED_JOBS_MAX, 1)
            our_job = next((item for item in queued_jobs if item["JobId"] == number), None)
            status = 0 if our_job is None else our_job["Status"]
            if our_job is None or status & _JOB_PRINTED:
                return
            if status & _JOB_DELETING:
                if status & _JOB_COMPLETE:
                    return
                # Somebody has deleted it, and how much of it was printed is unknown.
                raise PrinterRefused(messages.PRINT_JOB_CANCELED.format(printer=printer.name))
            if status & _JOB_ERROR:
                self._spool.SetJob(handle, number, 0, None, _CONTROL_DELETE)
                raise PrinterRefused(messages.PRINTER_REFUSED.format(printer=printer.name))
            problems = self._find_problems(handle, status)
            # The printer has received a complete job, but may need help to print it.
            if status & _JOB_RETAINED or (status & _JOB_COMPLETE and not problems):
                return
            progress.waits_for = problems
            if patience.has_ended(problems) or (progress.stop.is_set() and problems):
                self._spool.SetJob(handle, number, 0, None, _CONTROL_DELETE)
                raise _build_stop(printer, problems)
            time.sleep(_POLL_SECONDS)

    def _find_problems(self, handle: Any, job_status: int) -> tuple[Problem, ...]:
        """Return what the job and its printer wait for."""
        printer_status = self._spool.GetPrinter(handle, _FIELDS_LEVEL).get("Status", 0)
        problems = (
            *_find_problems(_JOB_PROBLEMS, job_status),
            *_find_problems(_PROBLEMS, printer_status),
        )
        return tuple(dict.fromkeys(problems))

    def _print_image(self, job: PrintJob, picture: bytes, progress: Progress) -> None:
        """Print an image through the printer's driver, on a separate page."""
        with self._open_printer(job.printer) as handle:
            number = self._draw_page(job, picture)
            self._wait_for_end(handle, number, job.printer, progress)

    def _draw_page(self, job: PrintJob, picture: bytes) -> int:
        """Queue a page with an image and return the number of its job."""
        win32ui = importlib.import_module("win32ui")
        # Imported here, because the sidecar does not need it on other systems.
        from PIL import Image  # noqa: PLC0415

        image_win = importlib.import_module("PIL.ImageWin")
        context = win32ui.CreateDC()
        try:
            context.CreatePrinterDC(job.printer.address)
            output = context.GetHandleOutput()
            # The context's own method does not return the number of the job.
            number = int(self._spool.StartDoc(output, (job.title, None, None, 0)))
            try:
                width, height = context.GetDeviceCaps(_HORZRES), context.GetDeviceCaps(_VERTRES)
                with Image.open(io.BytesIO(picture)) as image:
                    scale = min(width / image.width, height / image.height)
                    area = (0, 0, int(image.width * scale), int(image.height * scale))
                    context.StartPage()
                    image_win.Dib(image.convert("RGB")).draw(output, area)
                    context.EndPage()
            except Exception:
                self._spool.AbortDoc(output)
                raise
            context.EndDoc()
            return number
        finally:
            context.DeleteDC()


def _find_problems(bits: Iterable[tuple[int, Problem]], status: int) -> tuple[Problem, ...]:
    """Return the problems whose bits are set."""
    return tuple(dict.fromkeys(problem for bit, problem in bits if status & bit))


def _build_stop(
    printer: Printer, problems: tuple[Problem, ...]
) -> PrinterStopped | PrinterTimedOut:
    """Build the error of a job that did not end, with the reason if there is one."""
    if not problems:
        return PrinterTimedOut(messages.PRINTER_TIMED_OUT.format(printer=printer.name))
    reasons = describe_problems(problems)
    return PrinterStopped(messages.PRINTER_STOPPED.format(printer=printer.name, reasons=reasons))
