"""The manifest of live changes."""

from app.server.changes import endpoints, models
from app.server.changes.feed import delete_old_changes
from app.server.manifest import Manifest, Periodic, Task

MANIFEST = Manifest(
    name="changes",
    routers=(endpoints.router,),
    models=(models,),
    periodic=(Periodic(Task("changes.forget_old_changes", delete_old_changes)),),
)
