"""Requests and records of this slice for the tests of every route."""

from tests.server.samples import Realm, Sample
from tests.server.world import World

SAMPLES = {
    "GET /api/v2/audit-events/access-report/{patient_id}": Sample(),
    "POST /api/v2/audit-events/export": Sample({"format": "csv", "outcome": "denied"}),
}
TABLES = (("audit_events", "id", "event_id"),)


async def add_records(world: World, home: Realm) -> None:
    """Insert an audit row, which only staff can read."""
    home.ids["event_id"] = world.run_sql(
        "INSERT INTO audit_events (role, action, kind, record_ids, request_id)"
        " VALUES ('worker', 'read', 'patient', '{}', '') RETURNING id"
    )
