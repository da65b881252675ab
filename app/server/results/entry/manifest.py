"""The manifest of the shared parts of all families of results."""

from app.server.manifest import Manifest
from app.server.results.entry import models

MANIFEST = Manifest(name="results.entry", models=(models,))
