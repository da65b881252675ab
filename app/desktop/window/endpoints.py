"""/device/windows and /device/documents."""

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal, Protocol

from fastapi import APIRouter, Request, Response
from pydantic import BeforeValidator, Field, model_validator

from app.basics.errors import NotConfigured
from app.contract import messages
from app.desktop.shapes import Shape
from app.desktop.window.documents import Documents
from app.desktop.window.paths import validate_screen_path

Act = Literal["guards", "holds", "closes"]


class Windows(Protocol):
    """Opens windows, if there is a screen."""

    @property
    def can_open(self) -> bool:
        """Whether windows can be opened."""
        ...

    def open(self, path: str) -> None:
        """Open a window on a valid path of the user interface."""
        ...

    def change(self, window: str, act: Act | None, title: str | None) -> None:
        """Change a window as its page asks; harmless if it has closed."""
        ...

    async def choose_file(self, name: str) -> Path | None:
        """Ask where to save a file; waits for the answer."""
        ...

    async def copy(self, text: str) -> bool:
        """Put a text into the clipboard, and return whether this window system supports it."""
        ...


class NoWindows:
    """The windows of a sidecar that was started without a screen."""

    can_open = False

    def open(self, path: str) -> None:
        """Raise a 424."""
        raise NotConfigured(messages.WINDOWS_UNAVAILABLE)

    def change(self, window: str, act: Act | None, title: str | None) -> None:
        """Change nothing: there are no windows."""

    async def choose_file(self, name: str) -> Path | None:
        """Return nothing: there is nobody to ask."""
        return None

    async def copy(self, text: str) -> bool:
        """Return False: there is no clipboard."""
        return False


class WindowState(Shape):
    """PUT /device/windows/current: how a page controls its own window.

    Attributes:
        act: 'guards': the page is asked before the window closes; 'holds': the window stays open
            while the page asks the person; 'closes': the window closes.
        title: the name of the screen, and never of a person.
    """

    act: Act | None = None
    title: Annotated[str | None, Field(max_length=200)] = None


class WindowRequest(Shape):
    """POST /device/windows."""

    path: Annotated[str, Field(max_length=2_048)]


def _decode_base64(text: object) -> bytes | None:
    """Decode strict base64."""
    if text is None:
        return None
    return base64.b64decode(str(text), validate=True)


class DocumentRequest(Shape):
    """POST /device/documents: a portal path, or what the page has loaded itself.

    ``name`` is what the viewer's title bar shows, without patient data. If ``is_saved``, the person
    chooses where to save it instead, or cancels.
    """

    path: Annotated[str | None, Field(max_length=2_048)] = None
    content: Annotated[bytes | None, BeforeValidator(_decode_base64)] = None
    media_type: Annotated[str, Field(max_length=100)] = "application/pdf"
    name: Annotated[str, Field(max_length=200)] = "document"
    is_saved: bool = False

    @model_validator(mode="after")
    def _require_one_source(self) -> "DocumentRequest":
        if (self.path is None) == (self.content is None):
            raise ValueError("path or content")
        return self


class DocumentShown(Shape):
    """The document that is open now."""

    name: str


def build_routes(
    windows: Windows, documents: Documents, find_window: Callable[[Request], str | None]
) -> APIRouter:
    """Return routes of windows and documents; ``find_window`` finds the calling page's window."""
    router = APIRouter(prefix="/device", tags=["windows"])

    @router.put("/windows/current", status_code=204)
    async def change_window(body: WindowState, request: Request) -> Response:
        """Change the window of the calling page; harmless if it has none."""
        window = find_window(request)
        if window is not None:
            windows.change(window, body.act, body.title)
        return Response(status_code=204)

    @router.post("/windows", status_code=201)
    async def open_window(body: WindowRequest) -> WindowRequest:
        """Open another window on a screen of the portal."""
        windows.open(validate_screen_path(body.path))
        return body

    @router.post("/documents", status_code=201)
    async def open_document(body: DocumentRequest) -> DocumentShown:
        """Open a document of the portal with the system's viewer, or save it."""
        if body.content is not None:
            await documents.show_content(
                body.content, body.media_type, body.name, is_saved=body.is_saved
            )
        else:
            await documents.show(body.path or "", body.name, is_saved=body.is_saved)
        return DocumentShown(name=body.name)

    return router
