"""Prints RAW through the Windows spooler (pywin32): no driver changes the commands."""

import asyncio
import importlib
import io
import sys
import time
from typing import Any

from PIL import Image

from app.contract import messages
from app.desktop.errors import PrinterRefused, PrinterTimedOut, PrinterUnreachable
from app.desktop.printers.language import guess_language
from app.desktop.printers.port import Printer, PrintJob

JOB_SECONDS = 20.0
_POLL_SECONDS = 0.25

# Values of winspool.h and wingdi.h; win32print does not name all of them.
_ENUM_LOCAL, _ENUM_CONNECTIONS = 0x2, 0x4
_JOB_ERROR = 0x2 | 0x20 | 0x200  # error, offline, blocked device queue
_JOB_DELETING = 0x4 | 0x100
_CONTROL_DELETE = 5
_HORZRES, _VERTRES = 8, 10


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

    def __init__(self, win32print: Any, job_seconds: float = JOB_SECONDS) -> None:
        self._spool = win32print
        self._job_seconds = job_seconds

    async def list_printers(self) -> list[Printer]:
        """Return the local and connected printers."""
        return await asyncio.to_thread(self._list_printers)

    def _list_printers(self) -> list[Printer]:
        try:
            default = self._spool.GetDefaultPrinter()
        except Exception:  # pywintypes.error: there is no default printer
            default = None
        printers = self._spool.EnumPrinters(_ENUM_LOCAL | _ENUM_CONNECTIONS)
        return [
            Printer(
                id=f"windows:{name}",
                name=name,
                kind="windows",
                address=name,
                language=guess_language(name),
                is_default=name == default,
            )
            for _, _, name, _ in printers
        ]

    async def send(self, job: PrintJob) -> None:
        """Queue the job and wait for its end. See ``PrintPort`` for the errors."""
        await asyncio.to_thread(self._send, job)

    def _send(self, job: PrintJob) -> None:
        if job.pictures:
            self._print_images(job)
        if not job.data:
            return
        unreachable = PrinterUnreachable(
            messages.PRINTER_UNREACHABLE.format(printer=job.printer.name)
        )
        try:
            handle = self._spool.OpenPrinter(job.printer.address)
        except Exception as error:
            raise unreachable from error
        try:
            number = self._spool.StartDocPrinter(handle, 1, (job.title, None, "RAW"))
            try:
                self._spool.StartPagePrinter(handle)
                sent = 0
                while sent < len(job.data):
                    written = self._spool.WritePrinter(handle, job.data[sent:])
                    if written <= 0:
                        raise OSError("the spooler accepted no data")
                    sent += written
                self._spool.EndPagePrinter(handle)
            except Exception:
                self._spool.SetJob(handle, number, 0, None, _CONTROL_DELETE)
                raise
            finally:
                self._spool.EndDocPrinter(handle)
            self._wait_for_end(handle, number, job.printer)
        except (PrinterTimedOut, PrinterRefused):
            raise
        except Exception as error:
            raise unreachable from error
        finally:
            self._spool.ClosePrinter(handle)

    def _wait_for_end(self, handle: Any, number: int, printer: Printer) -> None:
        """Wait until the job has left the queue; delete it after an error or the time limit."""
        end = time.monotonic() + self._job_seconds
        while True:
            queued = self._spool.EnumJobs(handle, 0, 999, 1)
            ours = next((item for item in queued if item["JobId"] == number), None)
            if ours is None or ours["Status"] & _JOB_DELETING:
                return
            if ours["Status"] & _JOB_ERROR:
                self._spool.SetJob(handle, number, 0, None, _CONTROL_DELETE)
                raise PrinterRefused(messages.PRINTER_REFUSED.format(printer=printer.name))
            if time.monotonic() >= end:
                self._spool.SetJob(handle, number, 0, None, _CONTROL_DELETE)
                raise PrinterTimedOut(messages.PRINTER_TIMED_OUT.format(printer=printer.name))
            time.sleep(_POLL_SECONDS)

    def _print_images(self, job: PrintJob) -> None:
        """Print the images through the printer's driver, one per page."""
        win32ui = importlib.import_module("win32ui")
        image_win = importlib.import_module("PIL.ImageWin")
        context = win32ui.CreateDC()
        try:
            context.CreatePrinterDC(job.printer.address)
            context.StartDoc(job.title)
            width, height = context.GetDeviceCaps(_HORZRES), context.GetDeviceCaps(_VERTRES)
            for picture in job.pictures:
                with Image.open(io.BytesIO(picture)) as image:
                    scale = min(width / image.width, height / image.height)
                    area = (0, 0, int(image.width * scale), int(image.height * scale))
                    context.StartPage()
                    image_win.Dib(image.convert("RGB")).draw(context.GetHandleOutput(), area)
                    context.EndPage()
            context.EndDoc()
        except Exception as error:
            raise PrinterUnreachable(
                messages.PRINTER_UNREACHABLE.format(printer=job.printer.name)
            ) from error
        finally:
            context.DeleteDC()
