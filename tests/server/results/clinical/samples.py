"""Requests of this slice for the tests of every route."""

from app.contract.enumerations import Role
from tests.server.samples import Ids, Realm, Sample
from tests.server.world import World


async def add_records(world: World, home: Realm) -> None:
    """Add a lifted hold on a test of the order, so the test can still be released."""
    order_test_id, test_id = world.fetch_rows(
        "SELECT id, test_id FROM order_tests WHERE order_id = %s AND NOT is_panel ORDER BY id",
        (home.ids["order_id"],),
    )[0]
    home.ids["order_test_id"] = order_test_id
    home.ids["hold_id"] = world.run_sql(
        "INSERT INTO result_holds (test_id, order_id, reason, placed_by, placed_at, lifted_at)"
        " VALUES (%s, %s, 'CONTROL', %s, now(), now()) RETURNING id",
        (test_id, home.ids["order_id"], home.people[Role.LABORATORY].user_id),
    )


TABLES = [("result_holds", "id", "hold_id"), ("order_tests", "id", "order_test_id")]


def _choose_test(ids: Ids, **values: object) -> dict[str, object]:
    return {"orderTestIds": [ids["order_test_id"]], **values}


SAMPLES = {
    "PUT /api/v2/orders/{order_id}/result-entry": Sample({"results": []}),
    "POST /api/v2/orders/{order_id}/release": Sample({"orderTestIds": None}),
    "POST /api/v2/orders/{order_id}/verify": Sample({"orderTestIds": None}),
    "POST /api/v2/orders/{order_id}/withhold": Sample(
        lambda _, ids: _choose_test(ids, kind="review", reason="REPEAT")
    ),
    "POST /api/v2/orders/{order_id}/restore": Sample(lambda _, ids: _choose_test(ids)),
    "POST /api/v2/orders/{order_id}/holds": Sample(
        lambda _, ids: _choose_test(ids, reason="CONTROL")
    ),
    "POST /api/v2/orders/{order_id}/holds/{hold_id}/lift": Sample({}),
}
