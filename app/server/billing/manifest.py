"""The manifest of billing."""

from app.server.billing import endpoints, lists, models
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="billing",
    routers=(endpoints.router,),
    models=(models,),
    lists=(lists,),
)
