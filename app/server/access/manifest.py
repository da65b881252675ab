"""What this slice declares of itself."""

from app.server.access import models
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="access",
    models=(models,),
)
