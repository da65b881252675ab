"""Requests of this slice for the tests of every route."""

from tests.server.samples import Realm, Sample
from tests.server.world import World

_LIMITS = {"low": 1, "high": 5}
_PERIOD = {"startDate": "2026-01-01", "endDate": "2026-03-31"}


async def add_records(world: World, home: Realm) -> None:
    """Add a test with a rule that was tried out."""
    code = f"AV{home.ids['client_id']}"
    world.add_lab_test(code)
    home.ids["test_id"] = test_id = world.get_test_id(code)
    world.run_sql(
        "INSERT INTO autoverification_rules (test_id, low, high, changed_at)"
        " VALUES (%s, 1, 5, now())",
        (test_id,),
    )
    world.run_sql(
        "INSERT INTO autoverification_trials (test_id, low, high, allows_abnormal, start_date,"
        " end_date, results, comparable, released, corrected, tried_by, tried_at)"
        " VALUES (%s, 1, 5, false, now(), now(), 1, 1, 0, 0, gen_random_uuid(), now())",
        (test_id,),
    )


SAMPLES = {
    "PUT /api/v2/autoverification/rules/{test_id}": Sample(_LIMITS),
    "POST /api/v2/autoverification/rules/{test_id}/switch": Sample({"isOn": True}),
    "POST /api/v2/autoverification/try-out": Sample(
        lambda _, ids: {"testId": ids["test_id"], "limits": _LIMITS, **_PERIOD}
    ),
}
