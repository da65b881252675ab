"""The manifest of exports."""

from app.server.exports import endpoints, models
from app.server.exports.tasks import PERIODIC, TASKS
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="exports",
    routers=(endpoints.router,),
    models=(models,),
    tasks=TASKS,
    periodic=PERIODIC,
)
