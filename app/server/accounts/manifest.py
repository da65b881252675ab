"""The manifest of accounts."""

from app.server.accounts import endpoints, models, security_endpoints
from app.server.accounts.tasks import PERIODIC
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="accounts",
    routers=(endpoints.router, security_endpoints.router, security_endpoints.avatars),
    models=(models,),
    periodic=PERIODIC,
)
