"""What this slice declares of itself."""

from app.server.changes import endpoints, models
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="changes",
    routers=(endpoints.router,),
    models=(models,),
)
