"""Answers of a ZPL printer to ``~HS`` (host status) and ``~HI`` (host identification)."""

import re
from dataclasses import dataclass

from app.desktop.printers.status import PrinterStatus, Problem

STATUS_QUERY = b"~HS\r\n"
IDENTITY_QUERY = b"~HI\r\n"

_STX, _ETX = b"\x02", b"\x03"
_STRINGS = 3
_DOTS_PER_MM = {6: 152, 8: 203, 12: 300, 24: 600}
_IDENTITY = re.compile(rb"\x02([^,\x02]+),([^,]*),(\d{1,3}),")
# Places in the first and the second string of the answer (ZPL II Programming Guide, ~HS).
_FLAGS_1: tuple[tuple[int, Problem], ...] = (
    (1, "paper-out"),
    (2, "paused"),
    (10, "too-cold"),
    (11, "too-hot"),
)
_FLAGS_2: tuple[tuple[int, Problem], ...] = ((2, "head-open"), (3, "ribbon-out"))
_FORMATS, _REMAINING = 4, 8


@dataclass(frozen=True)
class Identity:
    """The model of a printer, and its density in dots per inch."""

    model: str
    dpi: int


def is_complete_status(data: bytes) -> bool:
    """Whether the three strings of an answer to ``~HS`` have arrived."""
    return data.count(_ETX) >= _STRINGS


def parse_status(data: bytes) -> PrinterStatus | None:
    """Parse the last complete answer to ``~HS``; None if there is none."""
    strings = re.findall(rb"\x02([^\x02\x03]*)\x03", data)[-_STRINGS:]
    if len(strings) < _STRINGS:
        return None
    first, second = (text.decode("ascii", "replace").split(",") for text in strings[:2])
    try:
        problems = [problem for index, problem in _FLAGS_1 if int(first[index])]
        problems += [problem for index, problem in _FLAGS_2 if int(second[index])]
        waiting_labels = int(first[_FORMATS]) + int(second[_REMAINING])
    except (IndexError, ValueError):
        return None
    return PrinterStatus(problems=tuple(problems), waiting=waiting_labels)


def parse_identity(data: bytes) -> Identity | None:
    """Parse an answer to ``~HI`` ("ZD420-203dpi,V84.20.10Z,8,8176KB"); None if it is not one."""
    match = _IDENTITY.search(data)
    if match is None:
        return None
    dpi = _DOTS_PER_MM.get(int(match[3]))
    return Identity(match[1].decode("ascii", "replace"), dpi) if dpi else None
