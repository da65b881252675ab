"""Requests and records of this slice for the tests of every route."""

from tests.server.results.entry_samples import build_samples
from tests.server.samples import Realm, Sample
from tests.server.world import World

SAMPLES = {
    "PUT /api/v2/orders/{order_id}/pathology-entry/{order_test_id}": Sample(
        {"comment": "<p>No tumor.</p>", "signedOutBy": "DANA HALL, MD"}
    ),
    "POST /api/v2/orders/{order_id}/pathology-release": Sample({"orderTestIds": None}),
    **build_samples("pathology", "order_test_id"),
}


async def add_records(world: World, home: Realm) -> None:
    """Add a biopsy with an entered report to the order."""
    home.ids["order_test_id"] = world.run_sql(
        "INSERT INTO order_tests (order_id, test_id, level, position, name, kind, is_panel, status)"
        " SELECT %s, id, 0, 50, name, kind, false, 1 FROM lab_tests WHERE code = 'SURG'"
        " RETURNING id",
        (home.ids["order_id"],),
    )
