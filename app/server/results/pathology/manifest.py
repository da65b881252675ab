"""The manifest of pathology results."""

from app.server.manifest import Manifest
from app.server.results.pathology import endpoints, models

MANIFEST = Manifest(
    name="results.pathology",
    routers=(endpoints.router,),
    models=(models,),
)
