"""The few parts of multicast DNS (RFC 6762, 6763) that find raw printers."""

import ipaddress
import struct

_SERVICE = "_pdl-datastream._tcp.local"
_PTR, _A, _SRV = 12, 1, 33
_UNICAST_ANSWER = 0x8001
_JUMP = 0xC0
_NAME_STEPS_MAX = 128
"""The most parts and jumps of a name, so that a loop of jumps ends."""


def _encode_name(name: str) -> bytes:
    return b"".join(bytes([len(part)]) + part.encode() for part in name.split(".")) + b"\0"


QUERY = (
    struct.pack(">6H", 0, 0, 1, 0, 0, 0)
    + _encode_name(_SERVICE)
    + struct.pack(">2H", _PTR, _UNICAST_ANSWER)
)


def parse_addresses(data: bytes) -> list[tuple[str, int]]:
    """Return host and port of each raw printer in an answer; empty for other data."""
    try:
        return _parse_records(data)
    except (struct.error, IndexError, ValueError):
        return []


def _parse_records(data: bytes) -> list[tuple[str, int]]:
    _, _, questions, *counts = struct.unpack_from(">6H", data)
    offset = 12  # after the header
    for _ in range(questions):
        _, offset = _read_name(data, offset)
        offset += 4  # the type and the class
    services: list[tuple[str, int]] = []
    addresses: dict[str, str] = {}
    for _ in range(sum(counts)):
        name, offset = _read_name(data, offset)
        kind, _, _, length = struct.unpack_from(">2HIH", data, offset)
        offset += 10
        if kind == _SRV and name.endswith(_SERVICE):
            # Priority and weight precede the port, and the port the name of the target.
            (port,) = struct.unpack_from(">H", data, offset + 4)
            target, _ = _read_name(data, offset + 6)
            services.append((target, port))
        elif kind == _A:
            addresses[name] = str(ipaddress.IPv4Address(data[offset : offset + length]))
        offset += length
    return [(addresses[target], port) for target, port in services if target in addresses]


def _read_name(data: bytes, offset: int) -> tuple[str, int]:
    """Return a name and the offset after it; a part may point to an earlier offset."""
    parts: list[str] = []
    end = 0
    for _ in range(_NAME_STEPS_MAX):
        length = data[offset]
        if length == 0:
            return ".".join(parts), end or offset + 1
        if length >= _JUMP:
            end = end or offset + 2
            # The other 14 bits are the offset of the rest of the name.
            offset = (length & 0x3F) << 8 | data[offset + 1]
            continue
        parts.append(data[offset + 1 : offset + 1 + length].decode())
        offset += 1 + length
    raise IndexError
