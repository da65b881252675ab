"""The interface of printing: printers, jobs, and ports."""

from dataclasses import dataclass
from typing import Literal, Protocol

Kind = Literal["tcp", "cups", "windows"]
Language = Literal["zpl", "epl"]

DEFAULT_DPI = 203


@dataclass(frozen=True)
class Printer:
    """A printer that the user can choose.

    ``address`` is "host:port" of a network printer, otherwise the name of the queue. If
    ``language`` is ``None``, the label is printed as an image (O 9, DECISIONS). ``dpi`` is the
    density of the print head in dots per inch.
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
    """The content of one print: ``data``, or ``pictures`` if the language is unknown.

    Other people can read ``title`` in the queue, so it never names a patient.
    """

    printer: Printer
    data: bytes = b""
    pictures: tuple[bytes, ...] = ()
    title: str = "Labels"


class PrintPort(Protocol):
    """Sends jobs to one kind of printer."""

    async def send(self, job: PrintJob) -> None:
        """Deliver the whole job.

        Raises ``PrinterUnreachable`` (nothing was printed), ``PrinterTimedOut`` (labels may be
        incomplete), or ``PrinterRefused`` (the print system gave up).
        """
        ...


class Discovery(Protocol):
    """Finds the printers of the operating system."""

    async def list_printers(self) -> list[Printer]:
        """Return the queues; empty if there is no print system."""
        ...
