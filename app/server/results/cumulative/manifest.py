"""The manifest of cumulative results."""

from app.server.manifest import Manifest
from app.server.results.cumulative import endpoints

MANIFEST = Manifest(
    name="results.cumulative",
    routers=(endpoints.router, endpoints.client_router),
)
