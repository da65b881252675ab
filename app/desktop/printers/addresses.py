"""Which addresses a network printer may have.

A page that reached the sidecar could otherwise use 'printing' to talk to services of this computer
or of the network. An administrator can allow all addresses (``PORTAL_LOCAL_PRINTERS``).
"""

import ipaddress
import socket

from app.basics.errors import BadInput, FieldError
from app.contract import messages

_LOWEST_PORT = 1024
_PRINTING_PORTS = frozenset({515, 631})


class PrinterAddressRejected(BadInput):
    """400: the address is this computer's, or the port belongs to another service."""

    code = "printer_address_rejected"


def is_printing_port(port: int) -> bool:
    """Whether a printer may listen on this port."""
    return port >= _LOWEST_PORT or port in _PRINTING_PORTS


def is_own_address(host: str) -> bool:
    """Whether an IP address, however it is written, means this computer; False for names."""
    bare_host, _, zone = host.partition("%")
    try:
        address = ipaddress.ip_address(bare_host)
    except ValueError:
        try:
            # Systems also accept short, octal, and hexadecimal forms: '127.1', '0x7f000001'.
            address = ipaddress.IPv4Address(socket.inet_aton(host))
        except OSError:
            return False
    mapped_address = getattr(address, "ipv4_mapped", None) or address
    if mapped_address.is_loopback or mapped_address.is_unspecified or mapped_address.is_multicast:
        return True
    return _is_assigned(f"{mapped_address}%{zone}" if zone else str(mapped_address))


def _is_assigned(address: str) -> bool:
    """Whether an IP address is this computer's: a socket can be bound to such an address only."""
    try:
        [(family, kind, protocol, _, target)] = socket.getaddrinfo(
            address, 0, type=socket.SOCK_DGRAM, flags=socket.AI_NUMERICHOST
        )
        with socket.socket(family, kind, protocol) as probe:
            probe.bind(target)
    except (OSError, ValueError):
        return False
    return True


def _is_own_name(host: str) -> bool:
    """Whether a name is that of this computer, without asking the network."""
    name, own = host.rstrip(".").lower(), socket.gethostname().lower()
    return name in ("localhost", own, own.partition(".")[0], f"{own.partition('.')[0]}.local")


def require_allowed_address(host: str, port: int) -> None:
    """Raise PrinterAddressRejected, with the field, for an address that no printer may have."""
    if is_own_address(host) or _is_own_name(host):
        raise build_rejection("host")
    if not is_printing_port(port):
        raise build_rejection("port")


def build_rejection(field: str) -> PrinterAddressRejected:
    """Build the error of a field of the address."""
    return PrinterAddressRejected.of(FieldError(field, messages.PRINTER_ADDRESS_REJECTED))
