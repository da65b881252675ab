"""Requests of this slice for the tests of every route."""

import uuid

from app.contract.enumerations import Role
from tests.server.samples import Realm, Sample
from tests.server.world import World

_REQUISITIONS = Sample(lambda _, ids: {"ids": [ids["requisition_id"]]})
_ORDERS = Sample(lambda _, ids: {"ids": [ids["order_id"]]})
_PRINT = Sample(
    lambda _, ids: {
        "job": str(uuid.uuid4()),
        "ids": [ids["requisition_id"]],
        "printer": "Zebra",
    }
)
_OUTCOME = {"state": "sent", "labels": 1, "printed": 1, "unknown": 0}
TABLES = [("label_prints", "requisition_id", "requisition_id")]


async def add_records(world: World, home: Realm) -> None:
    """Add a print of the requisition's labels."""
    home.ids["label_job"] = str(uuid.uuid4())
    answer = await world.http.post(
        "/api/v2/requisitions/label-prints",
        headers=home.people[Role.CLIENT_BASIC].headers,
        json={
            "job": home.ids["label_job"],
            "ids": [home.ids["requisition_id"]],
            "printer": "Zebra",
        },
    )
    assert answer.status_code == 200, answer.text


SAMPLES = {
    "POST /api/v2/requisitions/label-prints": _PRINT,
    "PUT /api/v2/requisitions/label-prints/{label_job}/outcome": Sample(_OUTCOME),
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
