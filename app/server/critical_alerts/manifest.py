"""The manifest of alerts about critical results."""

from app.server.critical_alerts.tasks import PERIODIC
from app.server.manifest import Manifest

MANIFEST = Manifest(name="critical_alerts", periodic=PERIODIC)
