"""Requests and records of this slice for the tests of every route."""

from tests.server.samples import Realm, Sample
from tests.server.world import World

SAMPLES = {
    "GET /api/v2/clients/by-order-tests-in-time-range": Sample(query="?orderId={order_id}"),
}


async def add_records(world: World, home: Realm) -> None:
    """Add a test with a released result to the order."""
    home.ids["released_test_id"] = world.run_sql(
        "INSERT INTO order_tests (order_id, test_id, level, position, name, kind, is_panel, status)"
        " SELECT %s, id, 0, 70, name, kind, false, 16 FROM lab_tests WHERE code = 'COVID'"
        " RETURNING id",
        (home.ids["order_id"],),
    )
    world.run_sql(
        "INSERT INTO results (order_id, order_test_id, revision, value, entered_at, released_at)"
        " VALUES (%s, %s, 1, 'NOT DETECTED', now(), now())",
        (home.ids["order_id"], home.ids["released_test_id"]),
    )
