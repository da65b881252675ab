"""What the walks over all routes need of this slice."""

from tests.server.samples import Sample

SAMPLES = {"GET /api/v2/changes": Sample(query="?once=true", narrows=True)}
