"""/device/windows and /device/documents."""

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal, Protocol

from fastapi import APIRouter, Request, Response
from pydantic import BeforeValidator, Field, model_validator
from starlette.concurrency import run_in_threadpool

from app.basics.errors import NotConfigured
from app.contract import messages
from app.desktop.shapes import Shape
from app.desktop.window.documents import Documents
from app.desktop.window.paths import validate_screen_path


class Windows(Protocol):
    """Opens windows, if there is a screen."""

    @property
    def can_open(self) -> bool:
        """Whether windows can be opened."""
        ...

    def open(self, path: str) -> None:
        """Open a window on a valid path of the user interface; callable from any thread."""
        ...

    def find(self, name: str) -> "OpenWindow | None":
        """Return an open window."""
        ...

    def choose_file(self, name: str) -> Path | None:
        """Ask where to save a file; waits for the answer."""
        ...

    def copy(self, text: str) -> bool:
        """Put a text into the clipboard, and return whether this window system supports it."""
        ...


class OpenWindow(Protocol):
    """An open window, as its page controls it; every method is thread-safe."""

    def guard(self) -> None:
        """Ask the page before the window closes."""
        ...

    def hold(self) -> None:
        """Keep the window open while its page asks the person."""
        ...

    def close(self) -> None:
        """Close the window without asking its page."""
        ...

    def set_title(self, title: str) -> None:
        """Show the name of the screen in the title bar."""
        ...


class NoWindows:
    """The windows of a sidecar that was started without a screen."""

    can_open = False

    def open(self, path: str) -> None:
        """Raise a 424."""
        raise NotConfigured(messages.WINDOWS_UNAVAILABLE)

    def find(self, name: str) -> OpenWindow | None:
        """Return nothing: there are no windows."""
        return None

    def choose_file(self, name: str) -> Path | None:
        """Return nothing: there is nobody to ask."""
        return None

    def copy(self, text: str) -> bool:
        """Return False: there is no clipboard."""
        return False


class WindowState(Shape):
    """PUT /device/windows/current: how a page controls its own window.

    With ``guards``, the page is asked before the window closes; with ``holds``, the window stays
    open while the page asks the person; with ``closes``, it closes. ``title`` names the screen, and
    never a person.
    """

    act: Literal["guards", "holds", "closes"] | None = None
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

    ``name`` is what the viewer's title bar shows, without patient data.
    """

    path: Annotated[str | None, Field(max_length=2_048)] = None
    content: Annotated[bytes | None, BeforeValidator(_decode_base64)] = None
    media_type: Annotated[str, Field(max_length=100)] = "application/pdf"
    name: Annotated[str, Field(max_length=200)] = "document"

    @model_validator(mode="after")
    def _require_one_source(self) -> "DocumentRequest":
        if (self.path is None) == (self.content is None):
            raise ValueError("path or content")
        return self


class DocumentShown(Shape):
    """The result of opening a window."""

    name: str


def build_routes(
    windows: Windows, documents: Documents, find_window: Callable[[Request], str | None]
) -> APIRouter:
    """Routes of windows and documents; ``find_window`` returns whose page calls."""
    router = APIRouter(prefix="/device", tags=["windows"])

    @router.put("/windows/current", status_code=204)
    def change_window(body: WindowState, request: Request) -> Response:
        """Change the window of the calling page; harmless if it has none."""
        window = windows.find(find_window(request) or "")
        if window is not None:
            if body.title is not None:
                window.set_title(body.title)
            acts = {"guards": window.guard, "holds": window.hold, "closes": window.close}
            if body.act is not None:
                acts[body.act]()
        return Response(status_code=204)

    @router.post("/windows", status_code=201)
    async def open_window(body: WindowRequest) -> WindowRequest:
        """Open another window on a screen of the portal."""
        await run_in_threadpool(windows.open, validate_screen_path(body.path))
        return body

    @router.post("/documents", status_code=201)
    async def open_document(body: DocumentRequest) -> DocumentShown:
        """Open a document of the portal with the system's viewer."""
        if body.content is not None:
            await documents.show_content(body.content, body.media_type, body.name)
        else:
            await documents.show(body.path or "", body.name)
        return DocumentShown(name=body.name)

    return router
