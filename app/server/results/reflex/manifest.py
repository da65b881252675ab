"""The manifest of reflex tests."""

from app.server.manifest import Manifest
from app.server.results.reflex import models

MANIFEST = Manifest(name="results.reflex", models=(models,))
