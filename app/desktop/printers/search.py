"""Finds label printers on the network when somebody asks for it, within a few seconds.

Printers announce raw printing by DNS-SD, and Zebra printers answer a broadcast on port 4201. Each
one that answers is asked for its model.
"""

import asyncio
import ipaddress
import itertools
import socket
from collections.abc import Callable

from app.desktop.errors import PrinterUnreachable
from app.desktop.printers.addresses import require_allowed_address
from app.desktop.printers.dns_sd import QUERY, parse_addresses
from app.desktop.printers.port import Language
from app.desktop.printers.tcp import TcpPrinter
from app.desktop.printers.zebra import Identity
from app.desktop.shapes import Shape

SEARCH_SECONDS = 2.0
_MDNS = ("224.0.0.251", 5353)
_ZEBRA = ("255.255.255.255", 4201)
_ZEBRA_QUERY = b"\x2e\x2c\x3a\x01\x00\x00"
_RAW_PORT = 9100
_ADDRESSES_MAX = 50


class FoundPrinter(Shape):
    """A printer that answers; ``model`` is None if it does not say what it is."""

    host: str
    port: int
    model: str | None
    language: Language | None
    dpi: int | None


class PrinterSearch:
    """Searches the network; asks private addresses only, unless all are allowed."""

    def __init__(
        self, printer: TcpPrinter, seconds: float = SEARCH_SECONDS, *, allows_any_address: bool
    ) -> None:
        self._printer = printer
        self._seconds = seconds
        self.allows_any_address = allows_any_address
        self._turn = asyncio.Lock()

    async def ask_address(self, host: str, port: int) -> list[FoundPrinter]:
        """Ask one address for its model and density.

        Raises ``PrinterAddressRejected``, or ``PrinterUnreachable`` if nothing answers there.
        """
        if not self.allows_any_address:
            require_allowed_address(host, port)
        address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        return [_describe(host, port, await self._printer.identify(address))]

    async def ask_network(self) -> list[FoundPrinter]:
        """Search the whole network, one search at a time."""
        async with self._turn:
            replies = await asyncio.gather(
                _ask_network(_MDNS, QUERY, self._seconds, parse_addresses),
                _ask_network(_ZEBRA, _ZEBRA_QUERY, self._seconds, lambda _: []),
            )
        addresses = [
            address
            for address in dict.fromkeys(itertools.chain(*replies))
            if self.allows_any_address or _is_near(address[0])
        ]
        answers = await asyncio.gather(
            *(self._ask_announced(host, port) for host, port in addresses[:_ADDRESSES_MAX]),
            return_exceptions=True,
        )
        printers = (answer for answer in answers if isinstance(answer, list))
        return list(itertools.chain(*printers))

    async def _ask_announced(self, host: str, port: int) -> list[FoundPrinter]:
        """Ask a printer that has announced itself; it may be busy with another computer's job."""
        try:
            return await self.ask_address(host, port)
        except PrinterUnreachable:
            return [_describe(host, port, None)]


def _describe(host: str, port: int, identity: Identity | None) -> FoundPrinter:
    return FoundPrinter(
        host=host,
        port=port,
        model=identity.model if identity else None,
        language="zpl" if identity else None,
        dpi=identity.dpi if identity else None,
    )


def _is_near(host: str) -> bool:
    """Whether an address belongs to a private network and not to this computer."""
    address = ipaddress.ip_address(host)
    return address.is_private and not address.is_loopback


class _Listener(asyncio.DatagramProtocol):
    """Collects the addresses in the answers, or else the sender's raw port."""

    def __init__(self, parse: Callable[[bytes], list[tuple[str, int]]]) -> None:
        self._parse = parse
        self.addresses: list[tuple[str, int]] = []

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self.addresses += self._parse(data) or [(addr[0], _RAW_PORT)]


async def _ask_network(
    target: tuple[str, int],
    query: bytes,
    seconds: float,
    parse: Callable[[bytes], list[tuple[str, int]]],
) -> list[tuple[str, int]]:
    """Send a query and return the addresses in the answers; empty if there is no network."""
    try:
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        sock.setblocking(False)
        sock.bind(("", 0))
        transport, listener = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: _Listener(parse), sock=sock
        )
    except OSError:
        return []
    try:
        transport.sendto(query, target)
        await asyncio.sleep(seconds)
    finally:
        transport.close()
    return listener.addresses
