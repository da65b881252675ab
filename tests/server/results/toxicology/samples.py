"""Requests of this slice for the tests of every route."""

from tests.server.samples import Sample

SAMPLES = {
    "PUT /api/v2/orders/{order_id}/toxicology-entry": Sample({"results": []}),
    "POST /api/v2/orders/{order_id}/toxicology-release": Sample({"orderTestIds": None}),
}
