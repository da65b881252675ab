"""State shared by the app's windows: last activity and number of ended sessions (ADR 19).

Each window is a separate browser (private mode), so windows cannot exchange messages. The idle time
of P 4 applies to the whole app, and a sign-out in one window applies to all of them.
"""

import time

from fastapi import APIRouter, Response

from app.desktop.relay.session import Session
from app.desktop.shapes import Shape


class Presence:
    """The time of the last activity in any window."""

    def __init__(self) -> None:
        self.mark()

    def mark(self) -> None:
        """Record activity now."""
        self._at = time.monotonic()
        self._wall_at = time.time()

    @property
    def idle_seconds(self) -> float:
        """Seconds since the last activity.

        Reads two clocks: the monotonic one stops while a laptop sleeps, and the other can be set
        back.
        """
        return max(time.monotonic() - self._at, time.time() - self._wall_at)


class PresenceRead(Shape):
    """Idle time and number of ended sessions of the app.

    ``sessions_ended`` counts sign-outs, and sign-ins of another person. A window must forget its
    session if the number differs from that at its sign-in.
    """

    idle_seconds: float
    sessions_ended: int


def build_routes(presence: Presence, session: Session) -> APIRouter:
    """Build the routes of /device/presence."""
    router = APIRouter(prefix="/device/presence", tags=["presence"])

    @router.get("")
    def read() -> PresenceRead:
        """The state that all windows share."""
        return PresenceRead(
            idle_seconds=presence.idle_seconds, sessions_ended=session.sessions_ended
        )

    @router.post("", status_code=204)
    def mark() -> Response:
        """Report activity in the calling window."""
        presence.mark()
        return Response(status_code=204)

    return router
