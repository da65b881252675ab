"""Metrics of jobs, counted in the database since workers are other processes."""

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from sqlalchemy import text

from app.server.actor import build_worker_actor
from app.server.database.pools import HasDatabase

_ACTOR = build_worker_actor("count jobs")
_COUNT_JOBS = text(
    "SELECT task_name, status::text, count(*),"
    " coalesce(max(extract(epoch FROM now() - coalesce(scheduled_at, deferred.at)))"
    " FILTER (WHERE status = 'todo' AND coalesce(scheduled_at, now()) <= now()), 0)::float8"
    " FROM jobs.procrastinate_jobs j LEFT JOIN LATERAL ("
    " SELECT at FROM jobs.procrastinate_events e"
    " WHERE e.job_id = j.id AND e.type = 'deferred' LIMIT 1) deferred ON true"
    " GROUP BY task_name, status"
)


async def count_jobs(portal: HasDatabase) -> list[Metric]:
    """Count the jobs by task and status, and measure the longest wait of a due job."""
    async with portal.database.transaction(_ACTOR) as transaction:
        rows = (await transaction.session.execute(_COUNT_JOBS)).all()
    jobs = GaugeMetricFamily("portal_jobs", "Jobs by task and status", labels=["task", "status"])
    for task, status, count, _ in rows:
        jobs.add_metric([task, status], count)
    longest_wait = max((wait for *_, wait in rows), default=0)
    return [
        jobs,
        GaugeMetricFamily(
            "portal_job_lag_seconds",
            "How long the longest-waiting job has been due",
            value=longest_wait,
        ),
    ]
