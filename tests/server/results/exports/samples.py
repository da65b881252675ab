"""Requests of this slice for the tests of every route."""

from tests.server.samples import NONEXISTENT_ID, Sample

SAMPLES = {
    "POST /api/v2/result-exports": Sample({"testIds": [NONEXISTENT_ID]}),
    "GET /api/v2/result-exports/preview": Sample(
        query="?clientIds={client_id}", omits_foreign=True
    ),
}
