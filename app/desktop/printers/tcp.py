"""Raw printing to a network printer (port 9100, "JetDirect")."""

import asyncio
import socket
import struct
import sys

from app.contract import messages
from app.desktop.errors import PrinterTimedOut, PrinterUnreachable
from app.desktop.printers.addresses import build_rejection, require_allowed_address
from app.desktop.printers.port import PrintJob

CONNECT_SECONDS = 3.0
STALL_SECONDS = 10.0
_PIECE = 16 * 1024
_ACKNOWLEDGE_POLL_SECONDS = 0.01


def parse_address(address: str) -> tuple[str, int]:
    """Split "host:port"; an IPv6 host is in brackets."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


class TcpPrinter:
    """Sends raw jobs, one at a time per printer.

    A job counts as printed when the printer's side has acknowledged every byte. A job is never sent
    again automatically, because that could print labels twice.
    """

    def __init__(
        self,
        connect_seconds: float = CONNECT_SECONDS,
        stall_seconds: float = STALL_SECONDS,
        *,
        allows_any_address: bool = False,
    ) -> None:
        self._allows_any_address = allows_any_address
        self._connect = connect_seconds
        self._stall = stall_seconds
        self._locks: dict[str, asyncio.Lock] = {}

    async def send(self, job: PrintJob) -> None:
        """Connect, send everything, and close. See ``PrintPort`` for the errors."""
        async with self._locks.setdefault(job.printer.address, asyncio.Lock()):
            await self._send(job)

    async def _send(self, job: PrintJob) -> None:
        name = job.printer.name
        host, port = parse_address(job.printer.address)
        if not self._allows_any_address:
            require_allowed_address(host, port)
        try:
            async with asyncio.timeout(self._connect):
                reader, writer = await self._open_connection(host, port)
        except (OSError, TimeoutError) as error:
            raise PrinterUnreachable(messages.PRINTER_UNREACHABLE.format(printer=name)) from error
        # The printer's answers are read and ignored. Closing with unread bytes would reset the
        # connection and lose the end of the job.
        reading = asyncio.create_task(_discard_input(reader))
        try:
            await self._write_all(writer, b"".join((job.data, *job.pictures)))
            writer.write_eof()
            writer.close()
            await asyncio.wait_for(writer.wait_closed(), self._stall)
        except (OSError, TimeoutError) as error:
            writer.transport.abort()
            raise PrinterTimedOut(messages.PRINTER_TIMED_OUT.format(printer=name)) from error
        except BaseException:
            writer.transport.abort()
            raise
        finally:
            reading.cancel()

    async def _open_connection(
        self, host: str, port: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect; a name that means this computer is rejected before anything is sent."""
        if self._allows_any_address:
            return await asyncio.open_connection(host, port)
        loop = asyncio.get_running_loop()
        entries = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        error: OSError = ConnectionRefusedError()
        for address in dict.fromkeys(str(entry[4][0]) for entry in entries):
            require_allowed_address(address, port)
            try:
                reader, writer = await asyncio.open_connection(address, port)
            except OSError as reason:
                error = reason
                continue
            if is_same_computer(writer):
                writer.transport.abort()
                raise build_rejection("host")
            return reader, writer
        raise error

    async def _write_all(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        """Write everything; raises ``TimeoutError`` if nothing moves for the stall time."""
        connection: socket.socket = writer.get_extra_info("socket")
        # With a high-water mark of 0, ``drain`` waits until the system has accepted everything.
        writer.transport.set_write_buffer_limits(high=0)
        for start in range(0, len(data), _PIECE):
            writer.write(data[start : start + _PIECE])
            async with asyncio.timeout(self._stall):
                await writer.drain()
        waited, pending = 0.0, count_unacknowledged(connection)
        while pending:
            if writer.transport.is_closing():
                raise ConnectionResetError
            await asyncio.sleep(_ACKNOWLEDGE_POLL_SECONDS)
            before, pending = pending, count_unacknowledged(connection)
            waited = waited + _ACKNOWLEDGE_POLL_SECONDS if pending == before else 0.0
            if waited >= self._stall:
                raise TimeoutError
        if writer.transport.is_closing():
            raise ConnectionResetError


def is_same_computer(writer: asyncio.StreamWriter) -> bool:
    """Whether a connection ends at an address of this computer."""
    own, other = writer.get_extra_info("sockname"), writer.get_extra_info("peername")
    return bool(own[0] == other[0])


async def _discard_input(reader: asyncio.StreamReader) -> None:
    try:
        while await reader.read(_PIECE):
            pass
    except OSError:
        return


def count_unacknowledged(connection: socket.socket) -> int:
    """Return the number of bytes that the other side has not acknowledged.

    Only Linux and macOS provide it. Elsewhere the result is 0 and only the graceful close remains.
    """
    if sys.platform == "linux":
        import fcntl  # noqa: PLC0415 - exists on POSIX only
        import termios  # noqa: PLC0415

        answer = fcntl.ioctl(connection.fileno(), termios.TIOCOUTQ, b"\0" * 4)
        return int(struct.unpack("i", answer)[0])
    if sys.platform == "darwin":
        so_nwrite = 0x1024
        return connection.getsockopt(socket.SOL_SOCKET, so_nwrite)
    return 0
