"""The printers port and what goes through it."""

from dataclasses import dataclass
from typing import Literal, Protocol

Kind = Literal["tcp", "cups", "windows"]
Language = Literal["zpl", "epl"]

DEFAULT_DPI = 203


@dataclass(frozen=True)
class Printer:
    """One printer as the user chooses it.

    ``address`` is "host:port" of a network printer, else the queue's name. ``language`` is
    ``None`` when it is not known: the label's picture is printed then (O 9, DECISIONS). ``dpi``
    is the print head's density in dots per inch.
    """

    id: str
    name: str
    kind: Kind
    address: str
    language: Language | None
    dpi: int = DEFAULT_DPI
    is_default: bool = False


@dataclass(frozen=True)
class PrintJob:
    """What one print sends; ``pictures`` instead of ``data`` when the language is not known.

    ``title`` names the job in queues that other people read: it never names a patient.
    """

    printer: Printer
    data: bytes = b""
    pictures: tuple[bytes, ...] = ()
    title: str = "Labels"


class PrintPort(Protocol):
    """One way to reach printers."""

    async def send(self, job: PrintJob) -> None:
        """Hand the whole job over, or raise.

        Raises ``PrinterUnreachable`` (nothing was printed), ``PrinterTimedOut`` (labels may be
        incomplete) or ``PrinterRefused`` (given up by the print system).
        """
        ...


class Discovery(Protocol):
    """Printers that the operating system already knows."""

    async def printers(self) -> list[Printer]:
        """The queues; empty when the system has no print system."""
        ...
