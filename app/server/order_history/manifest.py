"""The manifest of the history of orders."""

from app.server.manifest import Manifest
from app.server.order_history import endpoints
from app.server.order_history.acts import ACTS

MANIFEST = Manifest(
    name="order_history",
    routers=(endpoints.router, endpoints.reports),
    acts=ACTS,
)
