"""Metrics of jobs, counted in the database since workers are other processes."""

from prometheus_client import Gauge
from sqlalchemy import text

from app.server.actor import build_worker_actor
from app.server.database.pools import HasDatabase

_COUNTER = build_worker_actor("count jobs")
_JOBS = Gauge("portal_jobs", "Jobs by task and status", ["task", "status"])
_LAG = Gauge("portal_job_lag_seconds", "How long the longest waiting job is due")
_COUNT = text(
    "SELECT task_name, status::text, count(*),"
    " coalesce(max(extract(epoch FROM now() - coalesce(scheduled_at, deferred.at)))"
    " FILTER (WHERE status = 'todo' AND coalesce(scheduled_at, now()) <= now()), 0)::float8"
    " FROM jobs.procrastinate_jobs j LEFT JOIN LATERAL ("
    " SELECT at FROM jobs.procrastinate_events e"
    " WHERE e.job_id = j.id AND e.type = 'deferred' LIMIT 1) deferred ON true"
    " GROUP BY task_name, status"
)


async def update_metrics(portal: HasDatabase) -> None:
    """Update the gauges of jobs by task and status, and of the longest wait of a due job."""
    async with portal.database.transaction(_COUNTER) as session:
        rows = (await session.execute(_COUNT)).all()
    _JOBS.clear()
    for task, status, count, _ in rows:
        _JOBS.labels(task, status).set(count)
    _LAG.set(max((lag for *_, lag in rows), default=0))
