"""Requests of this slice for the tests of every route."""

from tests.server.samples import Sample

SAMPLES = {
    "POST /api/v2/orders/{order_id}/cancel": Sample({"reason": "CLIENT"}),
    "POST /api/v2/orders/{order_id}/reinstate": Sample({}),
}
