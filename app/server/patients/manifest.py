"""The manifest of patients."""

from app.server.manifest import Manifest
from app.server.patients import endpoints, lists, lookup_endpoints, models, record_endpoints
from app.server.patients.acts import ACTS

MANIFEST = Manifest(
    name="patients",
    routers=(endpoints.router, lookup_endpoints.router, record_endpoints.router),
    models=(models,),
    lists=(lists,),
    acts=ACTS,
)
