"""Requests of this slice for the tests of every route."""

from tests.server.samples import Sample

SAMPLES = {
    "POST /api/v2/reports/order/details": Sample(lambda _, ids: {"ids": [ids["order_id"]]}),
    "POST /api/v2/reports/order/details/stream": Sample(lambda _, ids: {"ids": [ids["order_id"]]}),
    "GET /api/v2/reports/order/details": Sample(query="?ids={order_id}"),
}
