"""The manifest of what all families of results share."""

from app.server.manifest import Manifest
from app.server.results.entry import models

MANIFEST = Manifest(name="results.entry", models=(models,))
