"""The manifest of users."""

from app.server.manifest import Manifest
from app.server.users import (
    acts,
    endpoints,
    import_endpoints,
    lists,
    models,
    sign_up_endpoints,
)
from app.server.users.tasks import TASKS

MANIFEST = Manifest(
    name="users",
    routers=(endpoints.router, import_endpoints.router, sign_up_endpoints.router),
    models=(models,),
    lists=(lists,),
    tasks=TASKS,
    acts=acts.ACTS,
)
