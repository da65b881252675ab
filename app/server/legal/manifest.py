"""The manifest of the notice and the terms."""

from app.server.legal import endpoints, models
from app.server.manifest import Manifest

MANIFEST = Manifest(name="legal", routers=(endpoints.router,), models=(models,))
