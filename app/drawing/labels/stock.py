"""The label stock, and a drawn label."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LabelStock:
    """The size of the label in inches, and the dots per inch of the print head."""

    width_in: float = 2
    height_in: float = 1
    dpi: int = 203

    @property
    def width(self) -> int:
        """Width in dots."""
        return round(self.width_in * self.dpi)

    @property
    def height(self) -> int:
        """Height in dots."""
        return round(self.height_in * self.dpi)


@dataclass(frozen=True)
class Label:
    """A drawn label.

    Attributes:
        zpl: ASCII.
        epl: one character per byte, because EPL2 contains raw bytes: send it with
            ``epl.encode("latin-1")``.
    """

    title: str
    png: bytes
    zpl: str
    epl: str
