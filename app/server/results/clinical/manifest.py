"""What this slice declares of itself."""

from app.server.manifest import Manifest
from app.server.results.clinical import endpoints, models

MANIFEST = Manifest(
    name="results.clinical",
    routers=(endpoints.router,),
    models=(models,),
)
