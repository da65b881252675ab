"""Retry jobs between two tries and forbid empty critical rules."""

from alembic import op

revision: str = "0073"
down_revision: str | None = "0072"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
-- The form and the files of the lab's data reject an empty rule. One from elsewhere ends.
UPDATE critical_culture_rules SET active = false
WHERE active AND num_nonnulls(source, applies_to, mark, finding) = 0;
ALTER TABLE critical_culture_rules ADD CONSTRAINT ck_critical_culture_rules_names_something
CHECK (NOT active OR num_nonnulls(source, applies_to, mark, finding) > 0);
-- Operations
-- The revision of the schema, and what a Superuser does with jobs. The two functions on jobs return
-- the task of the job, or null if it is in another state.
CREATE OR REPLACE FUNCTION schema_revision() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT version_num FROM alembic_version);
END
$$;
REVOKE ALL ON FUNCTION schema_revision() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION schema_revision() TO as_worker;
CREATE OR REPLACE FUNCTION require_superuser() RETURNS void
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF (SELECT a.role FROM find_administrator() a) IS DISTINCT FROM 'Superuser' THEN
        RAISE EXCEPTION 'only a Superuser does this' USING ERRCODE = 'insufficient_privilege';
    END IF;
END
$$;
REVOKE ALL ON FUNCTION require_superuser() FROM PUBLIC;
CREATE OR REPLACE FUNCTION jobs.retry_failed_job(wanted bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = jobs, public, pg_temp AS $$
DECLARE
    task text;
BEGIN
    PERFORM require_superuser();
    -- A job that failed before and waits for its next try only moves ahead.
    UPDATE procrastinate_jobs j SET scheduled_at = now()
    WHERE j.id = wanted AND j.status = 'todo' AND j.attempts > 0 RETURNING j.task_name INTO task;
    IF task IS NOT NULL THEN
        RETURN task;
    END IF;
    SELECT j.task_name INTO task FROM procrastinate_jobs j
    WHERE j.id = wanted AND j.status = 'failed' FOR UPDATE;
    IF task IS NOT NULL THEN
        PERFORM procrastinate_retry_job_v2(wanted, now(), NULL, NULL, NULL);
    END IF;
    RETURN task;
END
$$;
REVOKE ALL ON FUNCTION jobs.retry_failed_job(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION jobs.retry_failed_job(bigint) TO as_staff;
CREATE OR REPLACE FUNCTION jobs.give_up_job(wanted bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = jobs, public, pg_temp AS $$
DECLARE
    task text;
BEGIN
    PERFORM require_superuser();
    DELETE FROM procrastinate_jobs j WHERE j.id = wanted AND j.status IN ('failed', 'todo')
    RETURNING j.task_name INTO task;
    RETURN task;
END
$$;
REVOKE ALL ON FUNCTION jobs.give_up_job(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION jobs.give_up_job(bigint) TO as_staff;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
