"""The manifest of clients."""

from app.server.clients import endpoints, lists, models
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="clients",
    routers=(endpoints.router,),
    models=(models,),
    lists=(lists,),
)
