"""A PDF that is drawn in several steps."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from io import BytesIO
from typing import Generic, TypeVar

from reportlab.pdfgen.canvas import Canvas

from app.drawing.pages.paper import create_canvas

Page = TypeVar("Page")


class Document(ABC, Generic[Page]):
    """Records as one PDF, each starting on a new page."""

    def __init__(self, title: str, canvas_type: type[Canvas] = Canvas) -> None:
        self._out = BytesIO()
        self._canvas = create_canvas(self._out, title, canvas_type)

    def add(self, pages: Sequence[Page]) -> None:
        """Draw the next records."""
        for page in pages:
            self._draw(page)

    def finish(self) -> bytes:
        """Return the file; nothing can be added afterwards."""
        self._canvas.save()
        return self._out.getvalue()

    @abstractmethod
    def _draw(self, page: Page) -> None:
        """Draw a record."""
