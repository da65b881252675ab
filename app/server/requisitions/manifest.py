"""The manifest of requisitions."""

from app.server.manifest import Manifest
from app.server.requisitions import (
    document_endpoints,
    endpoints,
    frequent_endpoints,
    lists,
    models,
    part_endpoints,
)
from app.server.requisitions.acts import ACTS

MANIFEST = Manifest(
    name="requisitions",
    routers=(
        frequent_endpoints.router,
        endpoints.router,
        part_endpoints.router,
        document_endpoints.router,
    ),
    models=(models,),
    lists=(lists,),
    acts=ACTS,
)
