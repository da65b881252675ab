"""The manifest of addresses."""

from app.server.addresses import endpoints, models
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="addresses",
    routers=(endpoints.router,),
    models=(models,),
)
