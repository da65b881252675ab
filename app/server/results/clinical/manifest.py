"""The manifest of clinical results."""

from app.server.manifest import Manifest
from app.server.results.clinical import endpoints, models

MANIFEST = Manifest(
    name="results.clinical",
    routers=(endpoints.router,),
    models=(models,),
)
