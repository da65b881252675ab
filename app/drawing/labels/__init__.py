"""Specimen labels: one description, drawn as picture, as ZPL and as EPL2 (O 3 'Label', O 9).

``draw_label`` lays the label out once; the three writers place the same elements, so what the
screen shows is what the printer prints.
"""

from app.drawing.labels.content import Label, LabelContent, LabelStock
from app.drawing.labels.draw import draw_label

__all__ = ["Label", "LabelContent", "LabelStock", "draw_label"]
