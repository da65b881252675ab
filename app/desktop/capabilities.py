"""GET /capabilities: what this host can do; the UI never asks "am I the desktop?"."""

import socket
from typing import Literal

from fastapi import APIRouter
from pydantic import JsonValue

from app.basics.version import VERSION
from app.contract.limits import WORKSTATION_NAME_MAX
from app.desktop.portals import PortalChoice, PortalConnection
from app.desktop.relay.session import Session
from app.desktop.shapes import Shape
from app.desktop.window.endpoints import Windows


class Capabilities(Shape):
    """What the host can do, the computer's name, and the portal's ``lab`` if it answers.

    ``names_in_titles`` allows the titles of windows to name the patient.
    """

    host: Literal["desktop"] = "desktop"
    version: str
    workstation: str
    can_print_labels: bool = True
    can_open_windows: bool
    keeps_preferences: bool = True
    keeps_credentials: bool
    names_in_titles: bool
    lab: dict[str, JsonValue] | None
    portal: PortalConnection


def build_routes(choice: PortalChoice, session: Session, windows: Windows) -> APIRouter:
    """Build the route /capabilities."""
    router = APIRouter(tags=["host"])

    @router.get("/capabilities")
    async def capabilities() -> Capabilities:
        """What this host can do, and whose portal it belongs to."""
        lab, connection = await choice.connect()
        return Capabilities(
            version=VERSION,
            workstation=socket.gethostname()[:WORKSTATION_NAME_MAX],
            can_open_windows=windows.can_open,
            keeps_credentials=session.is_persistent,
            names_in_titles=choice.names_in_titles,
            lab=lab,
            portal=connection,
        )

    return router
