"""The manifest of favorite panels."""

from app.server.favorite_panels import endpoints, models
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="favorite_panels",
    routers=(endpoints.router,),
    models=(models,),
)
