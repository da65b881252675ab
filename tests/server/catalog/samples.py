"""Samples of catalog requests, for the tests of all routes."""

from tests.server.samples import Sample

SAMPLES = {
    "GET /api/v2/tests/with-children": Sample(query="?testId=1", omits_foreign=True),
    "GET /api/v2/tests/ids-with-children": Sample(query="?ids=1", omits_foreign=True),
}
