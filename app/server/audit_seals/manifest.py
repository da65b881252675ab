"""The manifest of the seals of the audit log."""

from app.server.audit_seals import models
from app.server.audit_seals.tasks import PERIODIC
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="audit_seals",
    models=(models,),
    periodic=PERIODIC,
)
