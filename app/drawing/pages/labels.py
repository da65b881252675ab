"""Labels as PDF for browsers, each on a page of its size, as printer drivers expect."""

from collections.abc import Iterable
from io import BytesIO

from PIL import Image
from reportlab.lib.units import inch
from reportlab.lib.utils import ImageReader

from app.drawing.labels import Label, LabelContent, draw_labels
from app.drawing.pages.paper import create_canvas

_DPI = 203.0


def draw_labels_pdf(contents: Iterable[LabelContent]) -> bytes:
    """Draw at least one label in true size, one per page."""
    file = BytesIO()
    canvas = create_canvas(file, "Labels")
    for label in draw_labels(contents):
        size = _measure_label(label)
        canvas.setPageSize(size)
        canvas.drawImage(ImageReader(BytesIO(label.png)), 0, 0, *size)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _measure_label(label: Label) -> tuple[float, float]:
    """Return width and height in points, from the density in the PNG."""
    with Image.open(BytesIO(label.png)) as picture:
        dots = float(picture.info.get("dpi", (_DPI, _DPI))[0])
        return picture.width / dots * inch, picture.height / dots * inch
