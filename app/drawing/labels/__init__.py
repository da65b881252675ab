"""Specimen labels: one description, drawn as picture, as ZPL and as EPL2 (O 3 'Label', O 9).

``draw_label`` lays the label out once; the three writers place the same elements, so what the
screen shows is what the printer prints.
"""

from app.drawing.labels.draw import draw_label
from app.drawing.labels.layout import LabelContent
from app.drawing.labels.stock import Label, LabelStock

__all__ = ["Label", "LabelContent", "LabelStock", "draw_label"]
