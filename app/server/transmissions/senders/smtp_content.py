"""The last step of SMTP: the content of an e-mail, and the server's answer to it."""

import asyncio
import re

_DOT_LINE = re.compile(rb"(?m)^\.")
_CODE = re.compile(rb"([2-5][0-9]{2})[ \r\n-]")


class _CodeReader(asyncio.Protocol):
    """Reads the first four bytes of an answer, and ignores the rest, however long it is."""

    def __init__(self) -> None:
        self.start: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._received = b""

    def data_received(self, data: bytes) -> None:
        self._received = (self._received + data[:4])[:4]
        if len(self._received) == 4:
            self._finish()

    def connection_lost(self, exc: Exception | None) -> None:
        self._finish()

    def _finish(self) -> None:
        if not self.start.done():
            self.start.set_result(self._received)


async def send_content(transport: asyncio.Transport, content: bytes, seconds: float) -> int | None:
    """Send the content after the server's 354, and return the code of its answer.

    Return None if the answer has no code. The server may then have accepted the e-mail or not.

    Raises:
        TimeoutError: no answer. The server may have accepted the e-mail or not.
    """
    protocol, reader = transport.get_protocol(), _CodeReader()
    transport.set_protocol(reader)
    try:
        transport.write(_DOT_LINE.sub(b"..", content) + b".\r\n")
        async with asyncio.timeout(seconds):
            return _parse_code(await reader.start)
    finally:
        transport.set_protocol(protocol)


def _parse_code(start: bytes) -> int | None:
    match = _CODE.fullmatch(start)
    return int(match[1]) if match else None
