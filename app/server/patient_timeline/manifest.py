"""What this slice declares of itself."""

from app.server.manifest import Manifest
from app.server.patient_timeline import endpoints

MANIFEST = Manifest(
    name="patient_timeline",
    routers=(endpoints.router,),
)
