"""What this slice declares of itself."""

from app.server.access import models
from app.server.access.idempotency import forget_old_answers
from app.server.manifest import Manifest, Periodic, Task

MANIFEST = Manifest(
    name="access",
    models=(models,),
    periodic=(Periodic(Task("access.forget_old_answers", forget_old_answers)),),
)
