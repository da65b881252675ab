"""Requests of this slice for the tests of every route."""

from tests.server.samples import Sample

SAMPLES = {
    "POST /api/v2/requisitions/transmission": Sample(
        lambda _, ids: {"ids": [ids["requisition_id"]], "type": "fax", "value": "312-555-0199"}
    ),
    "POST /api/v2/orders/transmission": Sample(
        lambda _, ids: {"ids": [ids["order_id"]], "type": "fax", "value": "312-555-0199"}
    ),
    "GET /api/v2/orders/transmissions": Sample(query="?ids={order_id}"),
    "GET /api/v2/requisitions/transmissions": Sample(query="?ids={requisition_id}"),
}
