"""What goes onto a label, what it goes onto, and what comes out."""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True)
class LabelContent:
    """The facts of one label (DECISIONS, 'labels').

    ``patient_name`` is 'LAST, FIRST'; ``code`` is the requisition's or order's code; a
    ``collection`` at midnight, or a plain date, means that the time is unknown; ``number`` of
    ``count`` tells the labels of one requisition apart; ``title`` is container and specimen.
    """

    patient_name: str
    birth_date: date
    code: str
    collection: datetime | date | None
    client: str
    container: str
    number: int
    count: int
    title: str


@dataclass(frozen=True)
class LabelStock:
    """The label in the printer: inches, and dots per inch of the print head."""

    width_in: float = 2
    height_in: float = 1
    dpi: int = 203

    @property
    def width(self) -> int:
        """Dots across."""
        return round(self.width_in * self.dpi)

    @property
    def height(self) -> int:
        """Dots down."""
        return round(self.height_in * self.dpi)


@dataclass(frozen=True)
class Label:
    """A drawn label.

    ``epl`` holds one character per byte (Latin-1), because EPL2 carries raw bytes: send it with
    ``epl.encode("latin-1")``. ``zpl`` is plain ASCII.
    """

    title: str
    png: bytes
    zpl: str
    epl: str
