"""Specimen labels as PNG, ZPL, and EPL2 (O 3 'Label', O 9).

``draw_label`` computes the layout once, and the three writers place the same elements. The screen
therefore shows what the printer prints.
"""

from app.drawing.labels.draw import STANDARD_STOCK, draw_label, draw_labels
from app.drawing.labels.layout import LabelContent
from app.drawing.labels.ruler import draw_ruler_label
from app.drawing.labels.stock import Label, LabelStock

__all__ = [
    "STANDARD_STOCK",
    "Label",
    "LabelContent",
    "LabelStock",
    "draw_label",
    "draw_labels",
    "draw_ruler_label",
]
