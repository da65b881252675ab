"""The manifest of patient timelines."""

from app.server.manifest import Manifest
from app.server.patient_timeline import endpoints

MANIFEST = Manifest(
    name="patient_timeline",
    routers=(endpoints.router,),
)
