"""Label printers at the USB nodes of Linux (/dev/usb/lp*), which no print system serves."""

import asyncio
import contextlib
import os
import re
import select
import time
from pathlib import Path

from app.contract import messages
from app.desktop.errors import PrinterTimedOut, PrinterUnreachable
from app.desktop.printers.language import guess_density, guess_language
from app.desktop.printers.port import DEFAULT_DPI, Printer, PrintJob, Progress
from app.desktop.printers.status import PrinterStatus, Problem

_NODES = Path("/dev/usb")
_DESCRIPTIONS = Path("/sys/class/usbmisc")
_PART_BYTES = 4096
_SILENT_SECONDS = 20.0
_TURN_SECONDS = 0.5
# <linux/lp.h>: the request for the status, and its bits.
_GET_STATUS = 0x060B
_PAPER_OUT, _SELECTED, _NO_ERROR = 0x20, 0x10, 0x08
_FIELD = re.compile(r"([A-Z ]+):([^;]*);")


class UsbPrinters:
    """Lists and serves the nodes; their printers accept labels and confirm none."""

    def __init__(
        self,
        nodes: Path = _NODES,
        descriptions: Path = _DESCRIPTIONS,
        silent_seconds: float = _SILENT_SECONDS,
    ) -> None:
        self._nodes = nodes
        self._descriptions = descriptions
        self._silent_seconds = silent_seconds

    async def list_printers(self) -> list[Printer]:
        """Return the printers that say they are label printers."""
        return [
            printer for node in sorted(self._nodes.glob("lp*")) if (printer := self._describe(node))
        ]

    def _describe(self, node: Path) -> Printer | None:
        """Return the printer at a node; None for one that prints no label language."""
        text = ""
        with contextlib.suppress(OSError):
            text = (self._descriptions / node.name / "device/ieee1284_id").read_text()
        fields = {name.strip(): value.strip() for name, value in _FIELD.findall(text)}
        model = fields.get("MDL") or fields.get("MODEL") or node.name
        language = guess_language(model, text)
        if language is None:
            return None
        return Printer(
            # The node's number changes when the cable is plugged in again; the printer does not.
            id=f"usb:{fields.get('SN') or fields.get('SERIALNUMBER') or node.name}",
            name=model,
            kind="usb",
            address=str(node),
            language=language,
            dpi=guess_density(model, text) or DEFAULT_DPI,
        )

    def _open_node(self, printer: Printer) -> int:
        """Open the current node of the printer, or raise ``PrinterUnreachable``.

        Its node may have changed since the printers were listed, and belong to another printer now.
        """
        for node in sorted(self._nodes.glob("lp*")):
            found_printer = self._describe(node)
            if found_printer is not None and found_printer.id == printer.id:
                with contextlib.suppress(OSError):
                    return os.open(node, os.O_WRONLY | os.O_NONBLOCK)
        raise PrinterUnreachable(messages.PRINTER_UNREACHABLE.format(printer=printer.name))

    async def send(self, job: PrintJob, progress: Progress) -> bool:
        """Write the labels to the node; see ``PrintPort``."""
        writing = asyncio.create_task(asyncio.to_thread(self._write, job, progress))
        try:
            return await asyncio.shield(writing)
        except asyncio.CancelledError:
            # The thread cannot be interrupted. It finishes the current label.
            progress.stop.set()
            await asyncio.wait([writing])
            raise

    def _write(self, job: PrintJob, progress: Progress) -> bool:
        node = self._open_node(job.printer)
        try:
            for label in job.labels:
                if progress.stop.is_set():
                    break
                progress.delivered += 1  # before the write, because a part of it may arrive
                self._write_label(node, label, job.printer.name)
        finally:
            os.close(node)
        return False

    def _write_label(self, node: int, label: bytes, name: str) -> None:
        """Write one label; a printer that accepts nothing for a while has stopped."""
        rest = memoryview(label)
        end = time.monotonic() + self._silent_seconds
        while True:
            _, writable_nodes, _ = select.select([], [node], [], _TURN_SECONDS)
            # The node is writable again once the printer has everything. Closing it earlier would
            # cut off the end of the label.
            if writable_nodes and not rest:
                return
            try:
                count = os.write(node, rest[:_PART_BYTES]) if writable_nodes else 0
            except BlockingIOError:
                count = 0
            except OSError as error:
                raise PrinterTimedOut(messages.PRINTER_TIMED_OUT.format(printer=name)) from error
            if count:
                rest = rest[count:]
                end = time.monotonic() + self._silent_seconds
            elif time.monotonic() >= end:
                raise PrinterTimedOut(messages.PRINTER_TIMED_OUT.format(printer=name))

    async def read_status(self, printer: Printer) -> PrinterStatus:
        """Return what the port says about its printer, or raise ``PrinterUnreachable``."""
        return await asyncio.to_thread(self._read_status, printer)

    def _read_status(self, printer: Printer) -> PrinterStatus:
        import fcntl  # noqa: PLC0415 - exists on POSIX only

        node = self._open_node(printer)
        try:
            answer = fcntl.ioctl(node, _GET_STATUS, bytes(4))
        except OSError:  # the node of another driver
            return PrinterStatus(is_known=False)
        finally:
            os.close(node)
        return parse_status(answer[0])


def parse_status(bits: int) -> PrinterStatus:
    """Return the state of a printer from the bits of its port."""
    problems: list[Problem] = []
    if bits & _PAPER_OUT:
        problems.append("paper-out")
    if not bits & _SELECTED:
        problems.append("offline")
    if not bits & _NO_ERROR and not problems:
        problems.append("error")
    return PrinterStatus(problems=tuple(problems))
