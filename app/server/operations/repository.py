"""SQL of the operations page: one statement for each panel, run as the worker.

The worker's role sees jobs, deliveries, and seals of everybody. The gatekeeper's role sees links of
accounts. Endpoints check who asks.
"""

from typing import Any

from sqlalchemy import text

from app.contract.limits import INVITATION_HOURS
from app.server.database.repository import Repository

_DATABASE = text("""
SELECT schema_revision() AS revision, current_setting('server_version') AS version,
  pg_database_size(current_database()) AS bytes,
  (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections,
  current_setting('max_connections')::int AS connections_max,
  (SELECT count(*) FROM pg_stat_replication) AS standbys,
  (SELECT extract(epoch FROM max(replay_lag))::float8 FROM pg_stat_replication) AS lag_seconds,
  (SELECT count(*) FROM changes WHERE at > now() - interval '1 hour') AS changes_last_hour
""")
_TASKS = text("""
SELECT coalesce(json_agg(t ORDER BY t.failed DESC, t.name), '[]') AS tasks,
  (SELECT count(*) FROM jobs.procrastinate_workers) AS workers,
  (SELECT coalesce(json_agg(f), '[]') FROM (
    SELECT j.id, j.task_name AS task, j.attempts, (
      SELECT max(e.at) FROM jobs.procrastinate_events e
      WHERE e.job_id = j.id AND e.type IN ('failed', 'deferred_for_retry')
    ) AS failed_at, CASE WHEN j.status = 'todo' THEN j.scheduled_at END AS next_try_at
    FROM jobs.procrastinate_jobs j
    WHERE j.status = 'failed' OR j.status = 'todo' AND j.attempts > 0 ORDER BY j.id DESC LIMIT 50) f
  ) AS failed
FROM (
  SELECT j.task_name AS name, count(*) FILTER (WHERE j.status = 'todo') AS waiting,
    count(*) FILTER (WHERE j.status = 'doing') AS running,
    count(*) FILTER (WHERE j.status = 'failed') AS failed,
    coalesce(max(extract(epoch FROM now() - coalesce(j.scheduled_at, d.at)))
      FILTER (WHERE j.status = 'todo' AND coalesce(j.scheduled_at, now()) <= now()), 0)::float8
      AS lag_seconds
  FROM jobs.procrastinate_jobs j LEFT JOIN LATERAL (
    SELECT e.at FROM jobs.procrastinate_events e
    WHERE e.job_id = j.id AND e.type = 'deferred' LIMIT 1) d ON true
  WHERE j.status IN ('todo', 'doing', 'failed') GROUP BY j.task_name
) t
""")
# A destination with '@' is an e-mail address. Old failures need no action. A failure is as old as
# its last try, because the portal may have tried for longer than a day.
_DELIVERIES = text("""
WITH sent AS (
  SELECT CASE WHEN destination LIKE '%@%' THEN 'email' ELSE 'fax' END AS kind,
    status IN ('queued', 'sending') AS waits, status = 'failed' AS failed, next_try_at
  FROM transmissions t
  WHERE status IN ('queued', 'sending') OR created_at > now() - interval '1 day'
    OR status = 'failed' AND EXISTS (SELECT 1 FROM send_attempts a
      WHERE a.transmission_id = t.id AND a.ended_at > now() - interval '1 day')
  UNION ALL
  SELECT 'support', sent_at IS NULL AND next_try_at IS NOT NULL,
    sent_at IS NULL AND next_try_at IS NULL, next_try_at
  FROM support_requests
  WHERE sent_at IS NULL AND next_try_at IS NOT NULL OR created_at > now() - interval '1 day'
  UNION ALL
  SELECT 'alerts', n.told_at IS NULL AND n.closed_at IS NULL AND n.escalate_at IS NOT NULL,
    n.told_at IS NULL AND n.closed_at IS NULL AND n.escalate_at IS NULL, n.escalate_at
  FROM critical_notices n
  WHERE n.closed_at IS NULL AND n.told_at IS NULL OR n.opened_at > now() - interval '1 day'
)
SELECT (SELECT json_agg(json_build_object('kind', k.kind,
    'waiting', (SELECT count(*) FROM sent s WHERE s.kind = k.kind AND s.waits),
    'next_try_at', (SELECT min(s.next_try_at) FROM sent s WHERE s.kind = k.kind AND s.waits),
    'failed', (SELECT count(*) FROM sent s WHERE s.kind = k.kind AND s.failed),
    'sent', (SELECT count(*) FROM sent s WHERE s.kind = k.kind AND NOT s.waits AND NOT s.failed))
    ORDER BY k.position)
  FROM unnest(ARRAY['email', 'fax', 'support', 'alerts']) WITH ORDINALITY k (kind, position)
) AS kinds,
(SELECT json_agg(json_build_object('kind', k.kind,
    'last_success', greatest((SELECT max(a.ended_at) FROM send_attempts a
      JOIN transmissions t ON t.id = a.transmission_id
      WHERE a.outcome = 'accepted' AND (t.destination LIKE '%@%') = (k.kind = 'email')),
      (SELECT max(r.sent_at) FROM support_requests r WHERE k.kind = 'email')),
    'last_failure', greatest((SELECT max(a.ended_at) FROM send_attempts a
      JOIN transmissions t ON t.id = a.transmission_id
      WHERE a.outcome <> 'accepted' AND (t.destination LIKE '%@%') = (k.kind = 'email')),
      (SELECT max(r.failed_at) FROM support_requests r WHERE k.kind = 'email')))
    ORDER BY k.kind)
  FROM unnest(ARRAY['email', 'fax']) k (kind)
) AS senders
""")
# Invitations and new passwords. An e-mail has not failed if its account got a link another way, or
# if nobody tried to send it, because `user reset` has printed the link.
# Each try makes a new link, so the expiry of the link tells when the last try was.
_ACCOUNT_EMAILS = text("""
SELECT count(*) FILTER (WHERE sent_at IS NULL AND next_try_at IS NOT NULL) AS waiting,
  min(next_try_at) FILTER (WHERE sent_at IS NULL) AS next_try_at,
  count(*) FILTER (WHERE sent_at IS NULL AND next_try_at IS NULL AND used_at IS NULL
    AND attempts > 0) AS failed,
  count(sent_at) AS sent, max(sent_at) AS last_success, max(failed_at) AS last_failure
FROM password_recoveries WHERE next_try_at IS NOT NULL OR created_at > now() - interval '1 day'
  OR is_invitation AND expires_at > now() + make_interval(hours => :older_link_hours)
""").bindparams(older_link_hours=INVITATION_HOURS - 24)
_BACKUP = text("SELECT at, version, bytes, files FROM backups ORDER BY id DESC LIMIT 1")
_AUDIT = text("""
SELECT s.id AS seal, s.sealed_at, v.at AS verified_at, v.rows AS verified_rows, v.trouble,
  u.unsealed_rows, u.unsealed_since
FROM (SELECT count(*) AS unsealed_rows, min(at) AS unsealed_since FROM (
    SELECT e.at FROM audit_events e
    WHERE e.id > coalesce((SELECT max(last_id) FROM audit_seals), 0) ORDER BY e.id LIMIT 10001) e
) u
LEFT JOIN (SELECT id, sealed_at FROM audit_seals ORDER BY id DESC LIMIT 1) s ON true
LEFT JOIN (SELECT at, rows, trouble FROM audit_verifications ORDER BY id DESC LIMIT 1) v ON true
""")
_RETRY = text("SELECT jobs.retry_failed_job(:job)")
_GIVE_UP = text("SELECT jobs.give_up_job(:job)")


class OperationsRepository(Repository):
    """The numbers of the panels, and acts on jobs."""

    async def retry_job(self, job_id: int) -> str | None:
        """Retry a failed job; return its task, or None if there is none."""
        task: str | None = await self.session.scalar(_RETRY, {"job": job_id})
        return task

    async def give_up_job(self, job_id: int) -> str | None:
        """Delete a failed or waiting job; return its task, or None if there is none."""
        task: str | None = await self.session.scalar(_GIVE_UP, {"job": job_id})
        return task

    async def load_database(self) -> dict[str, Any]:
        """Load the size, connections, and lag of the database."""
        return await self._load(_DATABASE)

    async def load_jobs(self) -> dict[str, Any]:
        """Load the jobs by task, the newest whose last try failed, and the number of workers."""
        return await self._load(_TASKS)

    async def load_deliveries(self) -> dict[str, Any]:
        """Load the messages that wait or failed, and the state of the senders."""
        return await self._load(_DELIVERIES)

    async def load_account_emails(self) -> dict[str, Any]:
        """Load the e-mails with links for passwords, as the gatekeeper, who alone sees them."""
        return await self._load(_ACCOUNT_EMAILS)

    async def load_backup(self) -> dict[str, Any]:
        """Load the last backup; empty if there is none."""
        return await self._load(_BACKUP)

    async def load_audit(self) -> dict[str, Any]:
        """Load the newest seal, what is not sealed yet, and the last verification."""
        return await self._load(_AUDIT)

    async def _load(self, statement: Any) -> dict[str, Any]:
        row = (await self.session.execute(statement)).mappings().first()
        return dict(row) if row is not None else {}
