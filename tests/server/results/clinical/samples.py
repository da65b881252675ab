"""Requests of this slice for the tests of every route."""

from tests.server.samples import Sample

SAMPLES = {
    "PUT /api/v2/orders/{order_id}/result-entry": Sample({"results": []}),
    "POST /api/v2/orders/{order_id}/release": Sample({"orderTestIds": None}),
}
