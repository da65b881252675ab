"""/device/windows and /device/documents."""

from typing import Annotated, Protocol

from fastapi import APIRouter
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from app.basics.errors import NotConfigured
from app.contract import messages
from app.desktop.shapes import Shape
from app.desktop.window.documents import Documents
from app.desktop.window.paths import screen_path


class Windows(Protocol):
    """Opens windows: real ones, or, without a screen, none."""

    @property
    def can_open(self) -> bool:
        """Whether there is a screen to open a window on."""
        ...

    def open(self, path: str) -> None:
        """Open another window on a checked path of the user interface; called from any thread."""
        ...


class NoWindows:
    """For a sidecar that was started without a window."""

    can_open = False

    def open(self, path: str) -> None:
        """Always a 424."""
        raise NotConfigured(messages.WINDOWS_UNAVAILABLE)


class WindowRequest(Shape):
    """POST /device/windows."""

    path: Annotated[str, Field(max_length=2_048)]


class DocumentRequest(Shape):
    """POST /device/documents; ``name`` is what the viewer's title bar shows, without patient
    data."""

    path: Annotated[str, Field(max_length=2_048)]
    name: Annotated[str, Field(max_length=200)] = "document"


def routes(windows: Windows, documents: Documents) -> APIRouter:
    """What leaves the window."""
    router = APIRouter(prefix="/device", tags=["windows"])

    @router.post("/windows", status_code=201)
    async def open_window(body: WindowRequest) -> WindowRequest:
        """Open another window on a screen of the portal."""
        await run_in_threadpool(windows.open, screen_path(body.path))
        return body

    @router.post("/documents", status_code=201)
    async def open_document(body: DocumentRequest) -> DocumentRequest:
        """Open a document of the portal with the system's viewer."""
        await documents.show(body.path, body.name)
        return body

    return router
