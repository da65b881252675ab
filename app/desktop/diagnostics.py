"""/device/diagnostics: what support needs to know, without personal data."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool

from app.basics.version import VERSION
from app.desktop.logs import get_log_dir, read_last_lines
from app.desktop.portals import PortalChoice
from app.desktop.relay.session import Session
from app.desktop.shapes import Shape
from app.desktop.window.endpoints import Windows

_LINES = 200
_PACKAGES = ("PySide6", "pywebview", "httpcore", "keyring")


class Diagnostics(Shape):
    """The text, and whether it is in the clipboard; if not, the page copies it."""

    text: str
    is_copied: bool
    folder: str


async def build_text(choice: PortalChoice, session: Session) -> str:
    """Return versions, the state of the connection, and the last lines of the log."""
    _, connection = await choice.connect()
    lines = [
        f"Lab Portal {VERSION}{' (package)' if getattr(sys, 'frozen', False) else ''}",
        f"System: {platform.system()} {platform.release()}, {platform.machine()}",
        f"Python {platform.python_version()}, {', '.join(_list_versions())}",
        f"Portal: {connection.address}, {connection.cause or 'answers'}",
        f"Set by: {choice.read().fixed_by or 'the person'}",
        f"Proxy: {choice.proxy or 'none'}",
        f"Sign-in is stored: {'yes' if session.is_persistent else 'no'}",
        f"Signed in: {'yes' if session.has_tokens else 'no'}",
        "",
        *await run_in_threadpool(read_last_lines, _LINES),
    ]
    return "\n".join(lines) + "\n"


def _list_versions() -> list[str]:
    """List the versions of important libraries; some packages record none."""
    versions = []
    for package in _PACKAGES:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return versions


def build_routes(choice: PortalChoice, session: Session, windows: Windows) -> APIRouter:
    """Build the route /device/diagnostics."""
    router = APIRouter(prefix="/device/diagnostics", tags=["host"])

    @router.post("/copy")
    async def copy() -> Diagnostics:
        """Copy what support needs into the clipboard, if the window system allows it."""
        text = await build_text(choice, session)
        return Diagnostics(text=text, is_copied=await windows.copy(text), folder=str(get_log_dir()))

    return router
