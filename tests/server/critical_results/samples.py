"""Requests and records of this slice for the tests of every route."""

from tests.server.samples import Realm, Sample
from tests.server.world import World

SAMPLES = {
    "POST /api/v2/critical-results/{notice_id}/calls": Sample(
        {"toldName": "ANN NURSE", "method": "phone", "isTold": True, "hasReadBack": True}
    ),
    "POST /api/v2/critical-results/{notice_id}/close": Sample({"note": "TOLD IN PERSON"}),
}
TABLES = (("critical_notices", "id", "notice_id"),)


async def add_records(world: World, home: Realm) -> None:
    """Open a notice for the order."""
    home.ids["notice_id"] = world.run_sql(
        "INSERT INTO critical_notices (order_id, opened_at, due_at)"
        " VALUES (%s, now(), now()) RETURNING id",
        (home.ids["order_id"],),
    )
