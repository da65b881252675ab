"""Requests of this slice for the tests of every route."""

from tests.server.samples import NOWHERE, Sample

SAMPLES = {
    "POST /api/v2/result-exports": Sample({"testIds": [NOWHERE]}),
    "GET /api/v2/result-exports/preview": Sample(query="?clientIds={client_id}", narrows=True),
}
