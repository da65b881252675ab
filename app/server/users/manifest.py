"""The manifest of users."""

from app.server.manifest import Manifest
from app.server.users import acts, endpoints, lists, models

MANIFEST = Manifest(
    name="users",
    routers=(endpoints.router,),
    models=(models,),
    lists=(lists,),
    acts=acts.ACTS,
)
