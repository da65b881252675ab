"""Requests of this slice for the tests of every route."""

from tests.server.results.entry_samples import build_samples
from tests.server.samples import Realm, Sample
from tests.server.world import World

SAMPLES = {
    "PUT /api/v2/orders/{order_id}/toxicology-entry": Sample({"results": []}),
    "POST /api/v2/orders/{order_id}/toxicology-release": Sample({"orderTestIds": None}),
    **build_samples("toxicology", "screen_id"),
}


async def add_records(world: World, home: Realm) -> None:
    """Add a screen to the order."""
    home.ids["screen_id"] = world.run_sql(
        "INSERT INTO order_tests (order_id, test_id, level, position, name, kind, is_panel, status)"
        " SELECT %s, id, 0, 70, name, kind, false, 1 FROM lab_tests"
        " WHERE kind = 'toxicology' AND NOT is_panel ORDER BY id LIMIT 1 RETURNING id",
        (home.ids["order_id"],),
    )
