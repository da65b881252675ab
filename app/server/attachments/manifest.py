"""What this slice declares of itself."""

from app.server.attachments import models
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="attachments",
    models=(models,),
)
