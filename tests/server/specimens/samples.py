"""Requests of this slice for the tests of every route."""

from tests.server.samples import Realm, Sample
from tests.server.world import World

SAMPLES = {
    "POST /api/v2/requisitions/receive": Sample(lambda _, ids: {"ids": [ids["requisition_id"]]}),
    "PUT /api/v2/orders/{order_id}/specimens": Sample(
        {"tubes": [{"number": 1, "state": "received", "conditions": ["HEMOLYZED"]}]}
    ),
}
TABLES = (("specimens", "id", "specimen_id"),)


async def add_records(world: World, home: Realm) -> None:
    """Name the first tube of the order."""
    home.ids["specimen_id"] = world.run_sql(
        "SELECT min(id) FROM specimens WHERE order_id = %s", (home.ids["order_id"],)
    )
