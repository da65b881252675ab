"""Sample requests of the lab's settings."""

from tests.server.samples import Sample

SAMPLES = {"GET /api/v2/reasons": Sample(query="?kind=correction")}
