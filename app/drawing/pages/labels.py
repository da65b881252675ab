"""Labels as PDF, for browsers: each on a page of its own size, as a printer's driver wants."""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image
from reportlab.lib.units import inch
from reportlab.lib.utils import ImageReader

from app.drawing.labels import Label
from app.drawing.pages.sheet import new_canvas

_DPI = 203.0


def labels_pdf(labels: Sequence[Label]) -> bytes:
    """The labels in true size, a page each; at least one label."""
    out = BytesIO()
    canvas = new_canvas(out, "Labels")
    for label in labels:
        size = _size(label)
        canvas.setPageSize(size)
        canvas.drawImage(ImageReader(BytesIO(label.png)), 0, 0, *size)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _size(label: Label) -> tuple[float, float]:
    """Points across and down, by the picture's own density (a PNG keeps it per metre)."""
    with Image.open(BytesIO(label.png)) as picture:
        dots = float(picture.info.get("dpi", (_DPI, _DPI))[0])
        return picture.width / dots * inch, picture.height / dots * inch
