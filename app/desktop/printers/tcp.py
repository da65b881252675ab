"""Raw printing to a network printer (port 9100, "JetDirect")."""

import asyncio
import socket
import struct
import sys

from app.contract import messages
from app.desktop.errors import PrinterTimedOut, PrinterUnreachable
from app.desktop.printers.port import PrintJob

CONNECT_SECONDS = 3.0
STALL_SECONDS = 10.0
_PIECE = 16 * 1024
_ACKNOWLEDGE_POLL_SECONDS = 0.01


def host_and_port(address: str) -> tuple[str, int]:
    """The two parts of "host:port"; an IPv6 host stands in brackets."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


class TcpPrinter:
    """Sends a job as it is, one job at a time to each printer.

    A job counts as printed when the printer's side has acknowledged every byte. Nothing is ever
    sent again by itself once bytes are out: that would double labels.
    """

    def __init__(
        self, connect_seconds: float = CONNECT_SECONDS, stall_seconds: float = STALL_SECONDS
    ) -> None:
        self._connect = connect_seconds
        self._stall = stall_seconds
        self._busy: dict[str, asyncio.Lock] = {}

    async def send(self, job: PrintJob) -> None:
        """Connect, hand over everything, close. See ``PrintPort`` for the errors."""
        async with self._busy.setdefault(job.printer.address, asyncio.Lock()):
            await self._send(job)

    async def _send(self, job: PrintJob) -> None:
        name = job.printer.name
        host, port = host_and_port(job.printer.address)
        try:
            async with asyncio.timeout(self._connect):
                reader, writer = await asyncio.open_connection(host, port)
        except (OSError, TimeoutError) as error:
            raise PrinterUnreachable(messages.PRINTER_UNREACHABLE.format(printer=name)) from error
        # What the printer says back is read and dropped: closing with unread bytes would reset
        # the connection and take the end of the job with it.
        listening = asyncio.create_task(_drain(reader))
        try:
            await self._hand_over(writer, b"".join((job.data, *job.pictures)))
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
            listening.cancel()

    async def _hand_over(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        """Write all; ``TimeoutError`` when nothing moves for the stall time."""
        connection: socket.socket = writer.get_extra_info("socket")
        # A high-water mark of 0 lets ``drain`` wait until the system has taken everything.
        writer.transport.set_write_buffer_limits(high=0)
        for start in range(0, len(data), _PIECE):
            writer.write(data[start : start + _PIECE])
            async with asyncio.timeout(self._stall):
                await writer.drain()
        waited, left = 0.0, unacknowledged(connection)
        while left:
            if writer.transport.is_closing():
                raise ConnectionResetError
            await asyncio.sleep(_ACKNOWLEDGE_POLL_SECONDS)
            before, left = left, unacknowledged(connection)
            waited = waited + _ACKNOWLEDGE_POLL_SECONDS if left == before else 0.0
            if waited >= self._stall:
                raise TimeoutError
        if writer.transport.is_closing():
            raise ConnectionResetError


async def _drain(reader: asyncio.StreamReader) -> None:
    try:
        while await reader.read(_PIECE):
            pass
    except OSError:
        return


def unacknowledged(connection: socket.socket) -> int:
    """Bytes that the other side has not acknowledged yet.

    Linux and macOS tell; elsewhere the answer is 0 and the graceful close alone has to do.
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
