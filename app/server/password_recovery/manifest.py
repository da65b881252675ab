"""The manifest of password recovery."""

from app.server.manifest import Manifest
from app.server.password_recovery import endpoints, models
from app.server.password_recovery.tasks import PERIODIC

MANIFEST = Manifest(
    name="password_recovery",
    routers=(endpoints.router,),
    models=(models,),
    periodic=PERIODIC,
)
