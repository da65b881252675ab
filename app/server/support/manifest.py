"""The manifest of support."""

from app.server.manifest import Manifest
from app.server.support import endpoints, models
from app.server.support.acts import ACTS
from app.server.support.tasks import PERIODIC

MANIFEST = Manifest(
    name="support",
    routers=(endpoints.router, endpoints.settings_router),
    models=(models,),
    periodic=PERIODIC,
    acts=ACTS,
)
