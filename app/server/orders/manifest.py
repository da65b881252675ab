"""The manifest of orders."""

from app.server.manifest import Manifest
from app.server.orders import (
    acts,
    billing_endpoints,
    document_endpoints,
    endpoints,
    lists,
    models,
    settings_endpoints,
)

MANIFEST = Manifest(
    name="orders",
    routers=(
        endpoints.router,
        document_endpoints.router,
        billing_endpoints.router,
        billing_endpoints.bill_to_router,
        settings_endpoints.router,
        settings_endpoints.all_router,
    ),
    models=(models,),
    lists=(lists,),
    acts=acts.ACTS,
)
