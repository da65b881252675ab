"""The manifest of the lab's settings."""

from app.server.lab_settings import endpoints, models
from app.server.lab_settings.acts import ACTS
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="lab_settings",
    routers=(endpoints.router, endpoints.lab, endpoints.reasons, endpoints.sites),
    models=(models,),
    acts=ACTS,
)
