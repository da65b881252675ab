"""The manifest of attachments."""

from app.server.attachments import models
from app.server.attachments.service import sweep_uploads
from app.server.manifest import Manifest, Periodic, Task

MANIFEST = Manifest(
    name="attachments",
    models=(models,),
    periodic=(Periodic(Task("attachments.sweep_uploads", sweep_uploads)),),
)
