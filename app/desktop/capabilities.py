"""GET /capabilities: what this host can do; the UI never asks "am I the desktop?"."""

from fastapi import APIRouter
from pydantic import JsonValue

from app.basics.errors import PortalError
from app.basics.version import VERSION
from app.desktop.relay.portal import Portal
from app.desktop.relay.session import Session
from app.desktop.shapes import Shape
from app.desktop.window.endpoints import Windows

_PORTAL_SECONDS = 3.0


class Capabilities(Shape):
    """What the host can do, and the portal's ``lab``: null while the portal cannot be reached."""

    host: str = "desktop"
    version: str
    can_print_labels: bool = True
    can_open_windows: bool
    keeps_preferences: bool = True
    keeps_credentials: bool
    lab: dict[str, JsonValue] | None


async def _load_lab(portal: Portal) -> dict[str, JsonValue] | None:
    try:
        answer = await portal.fetch("GET", b"/capabilities", seconds=_PORTAL_SECONDS)
        lab = answer.json().get("lab") if answer.status_code == 200 else None
    except (PortalError, ValueError, AttributeError):
        return None
    return lab if isinstance(lab, dict) else None


def build_routes(portal: Portal, session: Session, windows: Windows) -> APIRouter:
    """/capabilities."""
    router = APIRouter(tags=["host"])

    @router.get("/capabilities")
    async def capabilities() -> Capabilities:
        """What this host can do, and whose portal it belongs to."""
        return Capabilities(
            version=VERSION,
            can_open_windows=windows.can_open,
            keeps_credentials=session.is_persistent,
            lab=await _load_lab(portal),
        )

    return router
