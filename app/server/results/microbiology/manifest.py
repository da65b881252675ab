"""The manifest of microbiology results."""

from app.server.manifest import Manifest
from app.server.results.microbiology import endpoints, models, reference_models

MANIFEST = Manifest(
    name="results.microbiology",
    routers=(endpoints.router, endpoints.lists),
    models=(reference_models, models),
)
