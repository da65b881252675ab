"""Requests of this slice for the tests of every route."""

from tests.server.samples import Sample

SAMPLES = {
    "POST /api/v2/orders/release-results": Sample(lambda _, ids: {"ids": [ids["order_id"]]}),
}
