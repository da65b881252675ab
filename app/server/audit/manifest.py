"""The manifest of the audit log."""

from app.server.audit import models
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="audit",
    models=(models,),
)
