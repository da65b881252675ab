"""The manifest of accounts."""

from app.server.accounts import endpoints, models
from app.server.accounts.tasks import PERIODIC
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="accounts",
    routers=(endpoints.router,),
    models=(models,),
    periodic=PERIODIC,
)
