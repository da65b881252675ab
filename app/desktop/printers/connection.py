"""A raw connection to a network printer."""

import asyncio
import contextlib
import socket
import struct
import sys
from collections.abc import Callable

from app.desktop.printers.addresses import build_rejection, require_allowed_address

_PIECE = 16 * 1024
_POLL_SECONDS = 0.01


class ConnectionLost(Exception):
    """The printer reset the connection, or accepts no more data."""


def parse_address(address: str) -> tuple[str, int]:
    """Split "host:port"; an IPv6 host is in brackets."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


class Connection:
    """Writes to a printer, and reads everything that it sends.

    Everything is read, because closing with unread bytes would reset the connection and lose the
    end of the job. The connection counts as lost after ``stall`` seconds without progress.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, stall: float
    ) -> None:
        self._writer = writer
        self._stall = stall
        self._data = bytearray()
        self._has_new_data = asyncio.Event()
        self._has_ended = False
        self._is_reset = False
        self._is_finished = False
        self.has_answered = False
        # With a high-water mark of 0, ``drain`` waits until the system has accepted everything.
        writer.transport.set_write_buffer_limits(high=0)
        self._reading_task = asyncio.create_task(self._read(reader))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while piece := await reader.read(_PIECE):
                self._data += piece
                self.has_answered = True
                self._has_new_data.set()
        except OSError:
            self._is_reset = True
        self._has_ended = True
        self._has_new_data.set()

    async def write(self, data: bytes) -> None:
        """Write everything, or raise ``ConnectionLost``."""
        try:
            for start in range(0, len(data), _PIECE):
                if self._is_reset:
                    raise ConnectionLost
                self._writer.write(data[start : start + _PIECE])
                async with asyncio.timeout(self._stall):
                    await self._writer.drain()
        except (OSError, TimeoutError) as error:
            raise ConnectionLost from error

    async def read_until(self, is_complete: Callable[[bytes], bool], seconds: float) -> bytes:
        """Return the printer's answer when it is complete or the time has passed.

        The next call returns an incomplete answer again, with the rest. Raises ``ConnectionLost``
        if the printer closes or resets the connection before its answer is complete.
        """
        try:
            async with asyncio.timeout(seconds):
                while not is_complete(bytes(self._data)):
                    if self._has_ended:
                        raise ConnectionLost
                    self._has_new_data.clear()
                    await self._has_new_data.wait()
        except TimeoutError:
            pass
        answer = bytes(self._data)
        if is_complete(answer):
            self._data.clear()
        return answer

    async def wait_for_acknowledgment(self) -> None:
        """Wait until the printer's side has received every byte, or raise ``ConnectionLost``."""
        sock: socket.socket = self._writer.get_extra_info("socket")
        waited_seconds = 0.0
        pending_bytes = self._count_unacknowledged(sock)
        while pending_bytes:
            await asyncio.sleep(_POLL_SECONDS)
            bytes_before = pending_bytes
            pending_bytes = self._count_unacknowledged(sock)
            waited_seconds = (
                waited_seconds + _POLL_SECONDS if pending_bytes == bytes_before else 0.0
            )
            if waited_seconds >= self._stall:
                raise ConnectionLost

    def _count_unacknowledged(self, sock: socket.socket) -> int:
        if self._is_reset or self._writer.transport.is_closing():
            raise ConnectionLost
        return count_unacknowledged(sock)

    async def finish(self, seconds: float) -> None:
        """Close our side and wait a while for the printer to close its side.

        Raises ``ConnectionLost`` after a reset: the printer has not used all of the data.
        """
        self._is_finished = True
        with contextlib.suppress(OSError):
            self._writer.write_eof()
        try:
            async with asyncio.timeout(seconds):
                await asyncio.shield(self._reading_task)
        except TimeoutError:
            return
        if self._is_reset:
            raise ConnectionLost

    def abort(self) -> None:
        """Close immediately; unless ``finish`` has succeeded, unsent data is dropped."""
        self._reading_task.cancel()
        if self._is_finished and not self._is_reset:
            self._writer.close()
        else:
            self._writer.transport.abort()


async def open_connection(
    address: str, stall: float, *, allows_any_address: bool = False
) -> Connection:
    """Connect; a name that means this computer is rejected before anything is sent."""
    host, port = parse_address(address)
    if allows_any_address:
        return Connection(*await asyncio.open_connection(host, port), stall)
    require_allowed_address(host, port)
    loop = asyncio.get_running_loop()
    entries = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    last_error: OSError = ConnectionRefusedError()
    for ip_address in dict.fromkeys(str(target[0]) for *_, target in entries):
        require_allowed_address(ip_address, port)
        try:
            reader, writer = await asyncio.open_connection(ip_address, port)
        except OSError as error:
            last_error = error
            continue
        if is_same_computer(writer):
            writer.transport.abort()
            raise build_rejection("host")
        return Connection(reader, writer, stall)
    raise last_error


def is_same_computer(writer: asyncio.StreamWriter) -> bool:
    """Whether a connection ends at an address of this computer."""
    own, other = writer.get_extra_info("sockname"), writer.get_extra_info("peername")
    return bool(own[0] == other[0])


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
