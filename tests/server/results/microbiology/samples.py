"""Requests and records of this slice for the tests of every route."""

from tests.server.results.entry_samples import build_samples
from tests.server.samples import Realm, Sample
from tests.server.world import World

_BODY = {"findings": [{"code": "NG"}]}
SAMPLES = {
    "PUT /api/v2/orders/{order_id}/microbiology-entry/{culture_test_id}": Sample(_BODY),
    "POST /api/v2/orders/{order_id}/microbiology-entry/{culture_test_id}/check": Sample(_BODY),
    "POST /api/v2/orders/{order_id}/microbiology-release": Sample({"kind": "final"}),
    **build_samples("microbiology", "culture_test_id"),
}


async def add_records(world: World, home: Realm) -> None:
    """Add a culture to the order."""
    home.ids["culture_test_id"] = world.run_sql(
        "INSERT INTO order_tests (order_id, test_id, level, position, name, kind, is_panel, status)"
        " SELECT %s, id, 0, 60, name, kind, false, 1 FROM lab_tests WHERE code = 'UCUL'"
        " RETURNING id",
        (home.ids["order_id"],),
    )
