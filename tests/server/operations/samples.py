"""Requests and records of this slice for the tests of every route."""

from tests.server.samples import Realm, Sample
from tests.server.world import World

SAMPLES = {
    "POST /api/system/operations/jobs/{job_id}/retry": Sample(),
    "POST /api/system/operations/jobs/{job_id}/give-up": Sample(),
}
TABLES = (("jobs.procrastinate_jobs", "id", "job_id"),)
FAIL_JOB = (
    "INSERT INTO jobs.procrastinate_jobs (queue_name, task_name, status)"
    " VALUES ('test', 'test.nothing', 'failed') RETURNING id"
)


async def add_records(world: World, home: Realm) -> None:
    """Add a failed job of a queue that no worker serves."""
    home.ids["job_id"] = world.run_sql(FAIL_JOB)
