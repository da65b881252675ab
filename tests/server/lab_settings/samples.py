"""Sample requests of the lab's settings."""

from tests.server.samples import Sample

SAMPLES = {
    "GET /api/v2/reasons": Sample(query="?kind=correction"),
    # The tests of all routes share the lab, so this sample changes nothing.
    "PUT /api/system/lab-settings": Sample({}),
}
