"""The manifest of toxicology results."""

from app.server.manifest import Manifest
from app.server.results.toxicology import endpoints, models

MANIFEST = Manifest(
    name="results.toxicology",
    routers=(endpoints.settings_router, endpoints.router),
    models=(models,),
)
