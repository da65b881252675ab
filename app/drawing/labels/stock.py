"""What a label goes onto, and what comes out."""

from dataclasses import dataclass


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
