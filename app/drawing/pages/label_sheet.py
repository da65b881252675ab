"""Labels on letter paper, in true size: for sheets of stickers, or for looking at."""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image
from reportlab.lib.pagesizes import letter
from reportlab.lib.units import inch
from reportlab.lib.utils import ImageReader

from app.drawing.labels import Label
from app.drawing.pages.sheet import new_canvas

_MARGIN = 0.25 * inch
_TOP = 0.5 * inch
_DPI = 203.0


def label_sheet_pdf(labels: Sequence[Label]) -> bytes:
    """The labels from left to right and top to bottom, as many to a page as fit.

    All are of the size of the first; an empty sequence gives one blank page.
    """
    out = BytesIO()
    canvas = new_canvas(out, "Labels")
    width, height = _size(labels[0]) if labels else (2 * inch, inch)
    across = max(1, int((letter[0] - 2 * _MARGIN + 1) // width))
    down = max(1, int((letter[1] - 2 * _TOP + 1) // height))
    for place, label in enumerate(labels):
        if place and place % (across * down) == 0:
            canvas.showPage()
        row, column = divmod(place % (across * down), across)
        x = _MARGIN + column * width
        y = letter[1] - _TOP - (row + 1) * height
        canvas.drawImage(ImageReader(BytesIO(label.png)), x, y, width, height)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def _size(label: Label) -> tuple[float, float]:
    """Points across and down, by the picture's own density (a PNG keeps it per metre)."""
    with Image.open(BytesIO(label.png)) as picture:
        dots = float(picture.info.get("dpi", (_DPI, _DPI))[0])
        return picture.width / dots * inch, picture.height / dots * inch
