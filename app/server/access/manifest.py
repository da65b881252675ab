"""The manifest of request handling."""

from app.server.access import models
from app.server.access.idempotency import delete_old_answers
from app.server.access.quotas import delete_old_counts
from app.server.manifest import Manifest, Periodic, Task

MANIFEST = Manifest(
    name="access",
    models=(models,),
    periodic=(
        Periodic(Task("access.forget_old_answers", delete_old_answers)),
        Periodic(Task("access.forget_old_quota_counts", delete_old_counts)),
    ),
)
