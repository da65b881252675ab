"""/device/windows and /device/documents."""

import base64
from typing import Annotated, Protocol

from fastapi import APIRouter
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


class NoWindows:
    """The windows of a sidecar that was started without a screen."""

    can_open = False

    def open(self, path: str) -> None:
        """Raise a 424."""
        raise NotConfigured(messages.WINDOWS_UNAVAILABLE)


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
    """What was opened."""

    name: str


def build_routes(windows: Windows, documents: Documents) -> APIRouter:
    """Routes that open windows and documents."""
    router = APIRouter(prefix="/device", tags=["windows"])

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
