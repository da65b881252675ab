"""The manifest of waiting work."""

from app.server.manifest import Manifest
from app.server.waiting import acts, endpoints

MANIFEST = Manifest(
    name="waiting",
    routers=(endpoints.router,),
    acts=acts.ACTS,
)
