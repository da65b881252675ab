"""The manifest of the advanced order search."""

from app.server.manifest import Manifest
from app.server.order_search import endpoints, models
from app.server.order_search.acts import ACTS
from app.server.order_search.sources import SOURCES

MANIFEST = Manifest(
    name="order_search",
    routers=(endpoints.router,),
    models=(models,),
    acts=ACTS,
    exports=SOURCES,
)
