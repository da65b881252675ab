"""Reads PDF documents as people and scanners do."""

from io import BytesIO

import zxingcpp
from PIL import Image, ImageDraw
from pypdf import PageObject, PdfReader
from pypdf.generic import ContentStream


def open_pdf(pdf: bytes) -> PdfReader:
    """Open a document."""
    return PdfReader(BytesIO(pdf))


def read_words(pdf: bytes) -> str:
    """Return the text of all pages, with single spaces."""
    return " ".join(" ".join(page.extract_text() for page in open_pdf(pdf).pages).split())


def decode_barcodes(page: PageObject) -> list[str]:
    """Paint the filled rectangles of the page, as a viewer does, and read the barcodes."""
    image = Image.new("L", (612 * 4, 792 * 4), 255)
    pen = ImageDraw.Draw(image)
    for operands, operator in ContentStream(page.get_contents(), page.pdf).operations:
        if operator == b"re":
            x, y, width, height = (float(operand) for operand in operands)
            if width < 5 < height:
                pen.rectangle(
                    (x * 4, (792 - y - height) * 4, (x + width) * 4 - 1, (792 - y) * 4), fill=0
                )
    return [barcode.text for barcode in zxingcpp.read_barcodes(image)]
