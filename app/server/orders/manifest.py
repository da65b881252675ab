"""The manifest of orders."""

from app.server.manifest import Manifest
from app.server.orders import acts, billing_endpoints, document_endpoints, endpoints, lists, models

MANIFEST = Manifest(
    name="orders",
    routers=(
        endpoints.router,
        document_endpoints.router,
        billing_endpoints.router,
        billing_endpoints.settings,
    ),
    models=(models,),
    lists=(lists,),
    acts=acts.ACTS,
)
