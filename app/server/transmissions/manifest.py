"""The manifest of transmissions."""

from app.server.manifest import Manifest
from app.server.transmissions import endpoints, models, order_endpoints
from app.server.transmissions.acts import ACTS
from app.server.transmissions.tasks import TASKS

MANIFEST = Manifest(
    name="transmissions",
    routers=(endpoints.router, order_endpoints.router),
    models=(models,),
    tasks=TASKS,
    acts=ACTS,
)
