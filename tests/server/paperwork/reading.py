"""Reads the documents of the portal."""

import io

from pypdf import PdfReader


def extract_text(pdf: bytes) -> str:
    """Return all text of a PDF."""
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)
