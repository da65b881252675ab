"""The manifest of the operations page."""

from app.server.manifest import Manifest
from app.server.operations import acts, endpoints, models

MANIFEST = Manifest(
    name="operations",
    routers=(endpoints.router,),
    models=(models,),
    acts=acts.ACTS,
)
