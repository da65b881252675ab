"""Requests and records of this slice for the tests of every route."""

from app.contract.enumerations import Role
from tests.server.samples import Realm, Sample
from tests.server.world import SIGNATURE, World

SAMPLES = {
    "POST /api/v2/orders/sign-multiple": Sample(
        lambda _, ids: {"image": SIGNATURE, "ordersIds": [ids["order_id"]]}
    ),
    "POST /api/v2/orders/{order_id}/unsign": Sample({}),
    "PUT /api/v2/orders/acknowledge": Sample({}, query="?ids={order_id}"),
    "POST /api/v2/orders/{order_id}/cancel": Sample({"reason": "CLIENT"}),
    "POST /api/v2/orders/{order_id}/reinstate": Sample({}),
    "GET /api/v2/orders/ids": Sample(query="?ids={order_id}", narrows=True),
}
TABLES = (("orders", "id", "order_id"),)


async def add_records(world: World, home: Realm) -> None:
    """Receive the requisition."""
    received = await world.http.post(
        "/api/v2/requisitions/receive",
        headers=home.people[Role.LABORATORY].headers,
        json={"ids": [home.ids["requisition_id"]]},
    )
    home.ids["order_id"] = received.json()[0]["orderId"]
