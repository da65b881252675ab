"""The manifest of specimens."""

from app.server.manifest import Manifest
from app.server.specimens import endpoints, models

MANIFEST = Manifest(name="specimens", routers=(endpoints.router,), models=(models,))
