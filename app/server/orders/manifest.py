"""The manifest of orders."""

from app.server.manifest import Manifest
from app.server.orders import acts, document_endpoints, endpoints, lists, models

MANIFEST = Manifest(
    name="orders",
    routers=(endpoints.router, document_endpoints.router),
    models=(models,),
    lists=(lists,),
    acts=acts.ACTS,
)
