"""Raw printing to a network printer (port 9100, "JetDirect")."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.contract import messages
from app.desktop.errors import (
    PrinterNotReady,
    PrinterStopped,
    PrinterTimedOut,
    PrinterUnreachable,
)
from app.desktop.printers import zebra
from app.desktop.printers.connection import Connection, ConnectionLost, open_connection
from app.desktop.printers.patience import HELP_SECONDS, Patience
from app.desktop.printers.port import Printer, PrintJob, Progress
from app.desktop.printers.status import UNKNOWN_STATUS, PrinterStatus, describe_problems

CONNECT_SECONDS = 3.0
STALL_SECONDS = 10.0
ANSWER_SECONDS = 1.0
CLOSE_SECONDS = 2.0
SILENT_SECONDS = 60.0
_WINDOW = 3
"""The most labels that may wait in a printer that reports its status.

Thus the printer never waits for the next label, and only a few are lost or printed after Stop.
"""
_POLL_SECONDS = 0.1


class TcpPrinter:
    """Sends raw labels, and asks a ZPL printer for the outcome (``~HS``).

    A label is never sent again automatically, because that could print it twice. A printer that
    does not answer a job's first ``~HS`` is not asked by the jobs of the next ``silent_seconds``,
    unless it has answered before: then it was busy with another computer's job. A printer that
    reports a problem gets ``help_seconds`` until somebody solves it; one without progress, or
    whose later answers are late, gets ``stall_seconds``.
    """

    def __init__(
        self,
        connect_seconds: float = CONNECT_SECONDS,
        stall_seconds: float = STALL_SECONDS,
        answer_seconds: float = ANSWER_SECONDS,
        close_seconds: float = CLOSE_SECONDS,
        help_seconds: float = HELP_SECONDS,
        silent_seconds: float = SILENT_SECONDS,
        *,
        allows_any_address: bool = False,
    ) -> None:
        self.allows_any_address = allows_any_address
        self._connect_seconds = connect_seconds
        self._stall_seconds = stall_seconds
        self._answer_seconds = answer_seconds
        self._close_seconds = close_seconds
        self._help_seconds = help_seconds
        self._silent_seconds = silent_seconds
        self._silent_until: dict[str, float] = {}
        self._answering: set[str] = set()

    async def send(self, job: PrintJob, progress: Progress) -> bool:
        """Send the labels, and return whether the printer confirmed that it printed them.

        See ``PrintPort`` for the errors.
        """
        async with self._open(job.printer) as connection:
            try:
                return await self._send(connection, job, progress)
            except ConnectionLost as error:
                if progress.delivered == 0:
                    raise _build_unreachable(job.printer) from error
                text = messages.PRINTER_TIMED_OUT.format(printer=job.printer.name)
                raise PrinterTimedOut(text) from error

    async def read_status(self, printer: Printer) -> PrinterStatus:
        """Ask a ZPL printer for its status, or raise ``PrinterUnreachable``."""
        async with self._open(printer) as connection:
            try:
                return await self._ask_status(connection, printer) or UNKNOWN_STATUS
            except ConnectionLost:
                return UNKNOWN_STATUS

    async def identify(self, address: str) -> zebra.Identity | None:
        """Ask an address for its model and density; None if it is not a ZPL printer.

        Raises ``PrinterUnreachable`` if nothing accepts the connection.
        """
        printer = Printer("", address, "tcp", address, "zpl")
        async with self._open(printer) as connection:
            try:
                await connection.write(zebra.IDENTITY_QUERY)
                answer = await connection.read_until(
                    lambda data: zebra.parse_identity(data) is not None, self._answer_seconds
                )
            except ConnectionLost:
                return None
        return zebra.parse_identity(answer)

    @asynccontextmanager
    async def _open(self, printer: Printer) -> AsyncIterator[Connection]:
        try:
            async with asyncio.timeout(self._connect_seconds):
                connection = await open_connection(
                    printer.address,
                    self._stall_seconds,
                    allows_any_address=self.allows_any_address,
                )
        except (OSError, TimeoutError) as error:
            raise _build_unreachable(printer) from error
        try:
            yield connection
        finally:
            connection.abort()

    async def _send(self, connection: Connection, job: PrintJob, progress: Progress) -> bool:
        address = job.printer.address
        is_silent = time.monotonic() < self._silent_until.get(address, 0.0)
        before = None if is_silent else await self._ask_status(connection, job.printer)
        if before is None:
            has_not_answered = job.printer.language == "zpl" and not connection.has_answered
            if has_not_answered and not is_silent and address not in self._answering:
                self._silent_until[address] = time.monotonic() + self._silent_seconds
            await self._send_blindly(connection, job, progress)
            return False
        if before.problems:
            raise PrinterNotReady(
                messages.PRINTER_NOT_READY.format(
                    printer=job.printer.name, reasons=describe_problems(before.problems)
                )
            )
        for label in job.labels:
            # The first label need not wait: the printer has just said that it is ready.
            if progress.delivered:
                await self._wait_for_labels(connection, job.printer, progress, _WINDOW - 1)
            if progress.stop.is_set():
                break
            await self._deliver(connection, label, progress)
        await self._wait_for_labels(connection, job.printer, progress, 0)
        await connection.finish(self._close_seconds)
        return True

    async def _send_blindly(
        self, connection: Connection, job: PrintJob, progress: Progress
    ) -> None:
        """Send labels to a printer without status; success means that it received them."""
        for label in job.labels:
            if progress.stop.is_set():
                break
            await self._deliver(connection, label, progress)
        await connection.wait_for_acknowledgment()
        await connection.finish(self._close_seconds)

    @staticmethod
    async def _deliver(connection: Connection, label: bytes, progress: Progress) -> None:
        progress.delivered += 1  # before the write, because a part of the label may arrive
        await connection.write(label)

    async def _wait_for_labels(
        self, connection: Connection, printer: Printer, progress: Progress, waiting_max: int
    ) -> None:
        """Wait until at most ``waiting_max`` labels wait, or raise if the printer stops."""
        patience = Patience(self._stall_seconds, self._help_seconds)
        waiting_labels = -1
        await connection.write(zebra.STATUS_QUERY)
        while True:
            status = await self._read_answer(connection)
            if status is None:
                # The printer may serve somebody else. It is not asked again before it answers: an
                # answer to an earlier question would count labels as printed that are not.
                if patience.has_ended(()):
                    raise ConnectionLost
                continue
            # Labels of other workstations count as progress, too.
            if status.waiting != waiting_labels:
                waiting_labels = status.waiting
                patience.restart()
            progress.printed = max(progress.printed, progress.delivered - waiting_labels)
            progress.waits_for = status.problems
            if waiting_labels <= waiting_max and (not status.problems or waiting_max == 0):
                return
            is_given_up = progress.stop.is_set() and status.problems
            if is_given_up or patience.has_ended(status.problems):
                reasons = describe_problems(status.problems) or messages.PRINTER_STANDS_STILL
                raise PrinterStopped(
                    messages.PRINTER_STOPPED.format(printer=printer.name, reasons=reasons)
                )
            await asyncio.sleep(_POLL_SECONDS)
            await connection.write(zebra.STATUS_QUERY)

    async def _ask_status(self, connection: Connection, printer: Printer) -> PrinterStatus | None:
        """Return the printer's status; None if it does not answer."""
        if printer.language != "zpl":
            return None
        await connection.write(zebra.STATUS_QUERY)
        status = await self._read_answer(connection)
        if status is not None:
            self._silent_until.pop(printer.address, None)
            self._answering.add(printer.address)
        return status

    async def _read_answer(self, connection: Connection) -> PrinterStatus | None:
        answer = await connection.read_until(zebra.is_complete_status, self._answer_seconds)
        return zebra.parse_status(answer)


def _build_unreachable(printer: Printer) -> PrinterUnreachable:
    return PrinterUnreachable(messages.PRINTER_UNREACHABLE.format(printer=printer.name))
