"""The manifest of physicians."""

from app.server.manifest import Manifest
from app.server.physicians import endpoints, lists, models

MANIFEST = Manifest(
    name="physicians",
    routers=(endpoints.router,),
    models=(models,),
    lists=(lists,),
)
