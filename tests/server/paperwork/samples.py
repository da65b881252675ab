"""Requests of this slice for the tests of every route."""

from tests.server.samples import Sample

_REQUISITIONS = Sample(lambda _, ids: {"ids": [ids["requisition_id"]]})
_ORDERS = Sample(lambda _, ids: {"ids": [ids["order_id"]]})
SAMPLES = {
    "POST /api/v2/reports/requisition": _REQUISITIONS,
    "POST /api/v2/reports/requisition/log": _REQUISITIONS,
    "POST /api/v2/reports/requisition/stream": _REQUISITIONS,
    "POST /api/v2/reports/requisition/log/stream": _REQUISITIONS,
    "POST /api/v2/reports/order/results": _ORDERS,
    "POST /api/v2/reports/order/results/stream": _ORDERS,
    "POST /api/v2/reports/order/results-preview": _ORDERS,
    "POST /api/v2/reports/order/log": _ORDERS,
    "POST /api/v2/reports/order/log/stream": _ORDERS,
    "GET /api/v2/reports/order/log": Sample(query="?ids={order_id}"),
    "POST /api/v2/reports/order/cumulative-results": Sample(
        lambda _, ids: {"ids": [ids["released_test_id"]]}
    ),
    "GET /api/v2/reports/order/cumulative-results": Sample(query="?ids={released_test_id}"),
    "GET /api/v2/requisitions/labels": Sample(query="?ids={requisition_id}"),
    "GET /api/v2/reports/requisition": Sample(query="?ids={requisition_id}"),
    "GET /api/v2/reports/requisition/log": Sample(query="?ids={requisition_id}"),
    "GET /api/v2/reports/labels": Sample(query="?ids={requisition_id}"),
    "GET /api/v2/reports/order/results": Sample(query="?ids={order_id}"),
}
