"""The manifest of the cancellation of tests."""

from app.server.manifest import Manifest
from app.server.results.cancellations import endpoints

MANIFEST = Manifest(name="results.cancellations", routers=(endpoints.router,))
