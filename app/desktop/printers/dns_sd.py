"""The few parts of multicast DNS (RFC 6762, 6763) that find raw printers."""

import ipaddress
import struct

_SERVICE = "_pdl-datastream._tcp.local"
_POINTER, _ADDRESS, _PLACE = 12, 1, 33
_UNICAST_ANSWER = 0x8001
_JUMP = 0xC0
_MOST_JUMPS = 16


def _encode_name(name: str) -> bytes:
    return b"".join(bytes([len(part)]) + part.encode() for part in name.split(".")) + b"\0"


QUERY = (
    struct.pack(">6H", 0, 0, 1, 0, 0, 0)
    + _encode_name(_SERVICE)
    + struct.pack(">2H", _POINTER, _UNICAST_ANSWER)
)


def parse_addresses(data: bytes) -> list[tuple[str, int]]:
    """Return host and port of each raw printer in an answer; empty for other data."""
    try:
        return _parse(data)
    except (struct.error, IndexError, UnicodeDecodeError):
        return []


def _parse(data: bytes) -> list[tuple[str, int]]:
    _, _, questions, *counts = struct.unpack_from(">6H", data)
    place = 12
    for _ in range(questions):
        _, place = _read_name(data, place)
        place += 4
    services: list[tuple[str, int]] = []
    addresses: dict[str, str] = {}
    for _ in range(sum(counts)):
        name, place = _read_name(data, place)
        kind, _, _, length = struct.unpack_from(">2HIH", data, place)
        place += 10
        if kind == _PLACE and name.endswith(_SERVICE):
            (port,) = struct.unpack_from(">H", data, place + 4)
            target, _ = _read_name(data, place + 6)
            services.append((target, port))
        elif kind == _ADDRESS:
            addresses[name] = str(ipaddress.IPv4Address(data[place : place + length]))
        place += length
    return [(addresses[target], port) for target, port in services if target in addresses]


def _read_name(data: bytes, place: int) -> tuple[str, int]:
    """Return a name and the offset after it; a part may point to an earlier offset."""
    parts: list[str] = []
    end = 0
    for _ in range(_MOST_JUMPS * 8):
        length = data[place]
        if length == 0:
            return ".".join(parts), end or place + 1
        if length >= _JUMP:
            end = end or place + 2
            place = (length & 0x3F) << 8 | data[place + 1]
            continue
        parts.append(data[place + 1 : place + 1 + length].decode())
        place += 1 + length
    raise IndexError
