"""The manifest of the worklist."""

from app.server.manifest import Manifest
from app.server.results.worklist import endpoints

MANIFEST = Manifest(name="results.worklist", routers=(endpoints.router,))
