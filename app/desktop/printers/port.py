"""The interface of printing: printers, jobs, and ports."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from app.desktop.printers.status import PrinterStatus, Problem

Kind = Literal["tcp", "cups", "windows", "usb"]
Language = Literal["zpl", "epl"]
PrintForm = Literal["zpl", "epl", "png"]

DEFAULT_DPI = 203
DEFAULT_SIZE = "2x1"


@dataclass(frozen=True)
class Adjustments:
    """How a printer prints; None leaves the printer's own setting.

    Attributes:
        darkness: 0 to 30.
        speed: in inches per second.
        offset_x, offset_y: in millimeters, to the right and down.
    """

    darkness: int | None = None
    speed: int | None = None
    offset_x: float = 0.0
    offset_y: float = 0.0


@dataclass(frozen=True)
class Printer:
    """A printer that the user can choose.

    Attributes:
        address: "host:port" of a network printer, the node at which a USB printer was listed,
            otherwise the name of the queue.
        language: None if the label is printed as an image (O 9, DECISIONS).
        dpi: the density of the print head, in dots per inch.
        size: the size of its labels, in inches ("2x1").
        is_raw: whether its queue has no driver that converts images.
        changed_by: who set it up or changed its settings last.
        changed_settings: what was changed then; empty for a new printer.
    """

    id: str
    name: str
    kind: Kind
    address: str
    language: Language | None
    dpi: int = DEFAULT_DPI
    is_default: bool = False
    size: str = DEFAULT_SIZE
    adjustments: Adjustments = Adjustments()
    is_raw: bool = True
    changed_by: str | None = None
    changed_at: datetime | None = None
    changed_settings: tuple[str, ...] = ()


@dataclass(frozen=True)
class PrintJob:
    """The labels of one print, in their order.

    Attributes:
        form: the form of each label.
        title: other people can read it in the queue, so it never names a patient.
    """

    printer: Printer
    labels: tuple[bytes, ...]
    form: PrintForm = "zpl"
    title: str = "Labels"


@dataclass
class Progress:
    """The progress of a job, which ports update while they send.

    Attributes:
        delivered: how many labels, from the first, were given to the printer.
        printed: how many of these, from the first, were certainly printed.
        waits_for: what the printer needs from somebody.
        stop: once it is set, no further label is delivered.
    """

    delivered: int = 0
    printed: int = 0
    waits_for: tuple[Problem, ...] = ()
    stop: asyncio.Event = field(default_factory=asyncio.Event)


class PrintPort(Protocol):
    """Sends jobs to one kind of printer."""

    async def send(self, job: PrintJob, progress: Progress) -> bool:
        """Deliver the labels, and return whether the printer confirmed that it printed them.

        Returns early once ``progress.stop`` is set. Raises ``PrinterUnreachable`` or
        ``PrinterNotReady`` (nothing was delivered), ``PrinterTimedOut``, ``PrinterRefused``, or
        ``PrinterStopped`` (see ``progress`` for the labels).
        """
        ...

    async def read_status(self, printer: Printer) -> PrinterStatus:
        """Return what the printer says about itself, or raise ``PrinterUnreachable``."""
        ...


class Discovery(Protocol):
    """Finds the printers of the operating system."""

    async def list_printers(self) -> list[Printer]:
        """Return the queues; empty if there is no print system."""
        ...
