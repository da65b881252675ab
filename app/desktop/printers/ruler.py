"""The test label of a printer."""

import base64

from app.desktop.printers.language import Label
from app.desktop.printers.port import Printer


def draw_ruler(printer: Printer) -> Label:
    """Draw a frame, rulers in inches and millimeters, and the printer's name and settings."""
    # Imported here, because a test label is rare, and drawing takes 20 MB.
    from app.drawing.labels import LabelStock, draw_ruler_label  # noqa: PLC0415

    width, _, height = printer.size.partition("x")
    stock = LabelStock(float(width), float(height), printer.dpi)
    language = (printer.language or "png").upper()
    lines = (printer.name, f"{language} {printer.dpi} dpi {printer.size} in")
    label = draw_ruler_label(lines, stock)
    image = base64.b64encode(label.png).decode()
    return Label(label.title, image, label.zpl, label.epl)
