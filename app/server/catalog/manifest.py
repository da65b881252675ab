"""The manifest of the catalog."""

from app.server.catalog import endpoints, lab_test_endpoints, lists, models
from app.server.catalog.acts import ACTS
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="catalog",
    routers=(endpoints.router, lab_test_endpoints.router),
    models=(models,),
    lists=(lists,),
    acts=ACTS,
)
