"""What this slice declares of itself."""

from app.server.manifest import Manifest
from app.server.patients import endpoints, lists, lookup_endpoints, models, record_endpoints

MANIFEST = Manifest(
    name="patients",
    routers=(endpoints.router, lookup_endpoints.router, record_endpoints.router),
    models=(models,),
    lists=(lists,),
)
