"""The HTTP protocol of the portal: bounded heads, and no websockets."""

from app.basics.bounded_http import BoundedHttp


class PortalHttp(BoundedHttp):
    """Rejects a request for a websocket as soon as its head is complete."""

    def _should_upgrade(self) -> bool:
        """Whether the request asks for a websocket, even if no library could serve it."""
        return self._get_upgrade() == b"websocket"

    def handle_websocket_upgrade(self) -> None:
        # The portal has no websockets, and the application would not see the request before the
        # handshake.
        self.send_400_response("There are no websockets here.")
