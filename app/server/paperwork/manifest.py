"""The manifest of labels and reports."""

from app.server.manifest import Manifest
from app.server.paperwork import endpoints, report_endpoints

MANIFEST = Manifest(
    name="paperwork",
    routers=(endpoints.router, report_endpoints.router),
)
