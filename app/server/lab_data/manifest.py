"""The manifest of the data of the lab."""

from app.server.lab_data import acts, endpoints, file_endpoints
from app.server.manifest import Manifest

MANIFEST = Manifest(
    name="lab_data",
    routers=(file_endpoints.router, endpoints.router),
    acts=acts.ACTS,
)
