"""GET /capabilities: what this host can do; the UI never asks "am I the desktop?"."""

from fastapi import APIRouter
from pydantic import JsonValue

from app.basics.version import VERSION
from app.contract import messages
from app.desktop.errors import Cause
from app.desktop.relay.causes import explain
from app.desktop.relay.portal import Portal
from app.desktop.relay.reach import check_portal
from app.desktop.relay.session import Session
from app.desktop.shapes import Shape
from app.desktop.window.endpoints import Windows


class PortalConnection(Shape):
    """The portal's address, and if it cannot be reached, why and what to do about it."""

    address: str | None
    cause: Cause | None = None
    problem: str | None = None
    advice: str | None = None


class Capabilities(Shape):
    """What the host can do, and the portal's ``lab``: null while the portal cannot be reached."""

    host: str = "desktop"
    version: str
    can_print_labels: bool = True
    can_open_windows: bool
    keeps_preferences: bool = True
    keeps_credentials: bool
    lab: dict[str, JsonValue] | None
    portal: PortalConnection


def describe_connection(portal: Portal, cause: Cause | None) -> PortalConnection:
    """Describe the connection in words."""
    if cause is None:
        return PortalConnection(address=portal.url)
    text = explain(cause, portal.url or "", portal.host, portal.proxy)
    return PortalConnection(
        address=portal.url, cause=cause, problem=text.problem, advice=text.advice
    )


def build_routes(
    portal: Portal, session: Session, windows: Windows, problem: str | None
) -> APIRouter:
    """/capabilities; ``problem`` is what is wrong with the settings."""
    router = APIRouter(tags=["host"])

    async def read_connection() -> tuple[dict[str, JsonValue] | None, PortalConnection]:
        if problem is not None:
            return None, PortalConnection(
                address=None,
                cause=Cause.SETTINGS,
                problem=problem,
                advice=messages.SETTINGS_ADVICE,
            )
        reach = await check_portal(portal)
        return reach.lab, describe_connection(portal, reach.cause)

    @router.get("/capabilities")
    async def capabilities() -> Capabilities:
        """What this host can do, and whose portal it belongs to."""
        lab, connection = await read_connection()
        return Capabilities(
            version=VERSION,
            can_open_windows=windows.can_open,
            keeps_credentials=session.is_persistent,
            lab=lab,
            portal=connection,
        )

    return router
