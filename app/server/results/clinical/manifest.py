"""The manifest of clinical results."""

from app.server.manifest import Manifest
from app.server.results.clinical import cancel_endpoints, endpoints, models

MANIFEST = Manifest(
    name="results.clinical",
    routers=(cancel_endpoints.router, endpoints.router),
    models=(models,),
)
