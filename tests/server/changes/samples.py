"""Samples of requests for live changes, for the tests of all routes."""

from tests.server.samples import Sample

SAMPLES = {"GET /api/v2/changes": Sample(query="?once=true", omits_foreign=True)}
