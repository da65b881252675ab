"""Draws one label in all three formats."""

from collections.abc import Iterable

from app.drawing.labels.epl import write_epl
from app.drawing.labels.layout import LabelContent, lay_out
from app.drawing.labels.png import write_png
from app.drawing.labels.stock import Label, LabelStock
from app.drawing.labels.zpl import write_zpl
from app.drawing.typefaces import remove_controls

STANDARD_STOCK = LabelStock()


def draw_label(content: LabelContent, stock: LabelStock = STANDARD_STOCK) -> Label:
    """Draw a label as PNG, ZPL, and EPL2 (DECISIONS, 'labels').

    Raises :class:`~app.drawing.code128.BarcodeImpossible` if the code cannot be a barcode.
    """
    elements = lay_out(content, stock)
    return Label(
        title=remove_controls(content.title),
        png=write_png(elements, stock),
        zpl=write_zpl(elements, stock),
        epl=write_epl(elements, stock),
    )


def draw_labels(
    contents: Iterable[LabelContent], stock: LabelStock = STANDARD_STOCK
) -> list[Label]:
    """Draw labels on this or the standard stock; see ``draw_label`` for the errors."""
    return [draw_label(content, stock) for content in contents]
