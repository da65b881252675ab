"""The manifest of drafts."""

from app.server.drafts import endpoints, models
from app.server.drafts.tasks import PERIODIC
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="drafts",
    routers=(endpoints.router,),
    models=(models,),
    periodic=PERIODIC,
)
