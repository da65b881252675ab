"""QR codes as SVG, from plain text."""

from itertools import product
from typing import Any

_QUIET_ZONE = 4


def draw_qr_code(text: str) -> str:
    """Draw a QR code as SVG, dark on white with the quiet zone that readers need."""
    # Imported here, because the library loads 5 MB of charts.
    from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel

    code: Any = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(text)
    code.make()
    count = code.getModuleCount()
    cells = "".join(
        f"M{column + _QUIET_ZONE} {row + _QUIET_ZONE}h1v1h-1z"
        for row, column in product(range(count), repeat=2)
        if code.isDark(row, column)
    )
    side = count + 2 * _QUIET_ZONE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" '
        f'shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{side}v{side}H0z"/>'
        f'<path d="{cells}"/></svg>'
    )
