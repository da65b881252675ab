"""The manifest of critical results."""

from app.server.critical_results import endpoints, lists, models
from app.server.critical_results.acts import ACTS
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="critical_results",
    routers=(endpoints.router,),
    models=(models,),
    lists=(lists,),
    acts=ACTS,
)
