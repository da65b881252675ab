"""The manifest of autoverification."""

from app.server.manifest import Manifest
from app.server.results.automation import endpoints, lists, models
from app.server.results.automation.acts import ACTS

MANIFEST = Manifest(
    name="results.automation",
    routers=(endpoints.router,),
    models=(models,),
    lists=(lists,),
    acts=ACTS,
)
