"""Limit jobs of people and accept unknown zones."""

from alembic import op

revision: str = "0072"
down_revision: str | None = "0071"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
-- Adding a job
-- A role adds jobs only through this function, and people add only those that their acts need, as
-- the tasks declare (`Task.deferred_by`). It returns the job's number.
CREATE OR REPLACE FUNCTION jobs.defer_job(task text, arguments jsonb, due timestamptz)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = jobs, pg_catalog, pg_temp AS $$
DECLARE
    -- The role that the caller took, not the owner's.
    caller text := current_setting('role');
BEGIN
    IF caller IN ('as_staff', 'as_client', 'as_physician', 'as_patient') AND NOT EXISTS (
        SELECT FROM (VALUES
            ('transmissions.deliver', ARRAY['as_staff', 'as_client', 'as_physician', 'as_patient']),
            ('exports.run', ARRAY['as_staff', 'as_client', 'as_physician']),
            ('orders.send-copies', ARRAY['as_staff']),
            ('specimens.tell-client', ARRAY['as_staff'])
        ) AS allowed(name, roles)
        WHERE allowed.name = defer_job.task AND caller = ANY(allowed.roles)
    ) THEN
        RAISE EXCEPTION 'this role does not add jobs of this task'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN (procrastinate_defer_jobs_v1(ARRAY[
        ROW('portal', task, 0, NULL, NULL, arguments, due)::procrastinate_job_to_defer_v1
    ]))[1];
END
$$;
REVOKE ALL ON FUNCTION jobs.defer_job(text, jsonb, timestamptz) FROM PUBLIC;
GRANT USAGE ON SCHEMA jobs TO as_staff, as_client, as_physician, as_patient, as_worker;
GRANT EXECUTE ON FUNCTION jobs.defer_job(text, jsonb, timestamptz)
    TO as_staff, as_client, as_physician, as_patient, as_worker;
-- Signatures
-- A requisition counts as signed while it has a signature that nobody has ended.
CREATE OR REPLACE FUNCTION is_signed(wanted bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT 1 FROM requisition_signatures s
        WHERE s.requisition_id = wanted AND s.removed_at IS NULL
    )
$$;
REVOKE ALL ON FUNCTION is_signed(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_signed(bigint)
    TO as_staff, as_client, as_physician, as_patient, as_worker;
-- The lab's wall-clock time of an act. A time outside the transaction, such as that of a clock that
-- is wrong, becomes the transaction's. Two seconds are for clocks that differ a little. The zone is
-- the lab's choice, or else that of the environment, which each start of the portal stores.
CREATE OR REPLACE FUNCTION settle_lab_time(given timestamp) RETURNS timestamp
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    zone text;
BEGIN
    SELECT coalesce(
        max(nullif(s.value ->> 'name', '')) FILTER (WHERE s.name = 'time-zone'),
        max(s.value ->> 'name') FILTER (WHERE s.name = 'default-time-zone'),
        'UTC') INTO zone
    FROM lab_settings s WHERE s.name IN ('time-zone', 'default-time-zone');
    IF given BETWEEN (now() AT TIME ZONE zone) - interval '2 seconds'
        AND (clock_timestamp() AT TIME ZONE zone) + interval '2 seconds'
    THEN
        RETURN given;
    END IF;
    RETURN date_trunc('second', now() AT TIME ZONE zone);
EXCEPTION WHEN invalid_parameter_value THEN
    -- An earlier release stored a zone that only the portal knows. The work of the lab goes on, and
    -- the time must be the present one somewhere on earth.
    RETURN greatest(least(given, now() AT TIME ZONE 'UTC' + interval '14 hours'),
        now() AT TIME ZONE 'UTC' - interval '12 hours');
END
$$;
REVOKE ALL ON FUNCTION settle_lab_time(timestamp) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION settle_lab_time(timestamp)
    TO as_staff, as_client, as_physician, as_patient, as_worker;
-- The same for a time with a zone.
CREATE OR REPLACE FUNCTION settle_instant(given timestamptz) RETURNS timestamptz
LANGUAGE sql AS $$
    SELECT CASE WHEN given BETWEEN now() - interval '2 seconds'
        AND clock_timestamp() + interval '2 seconds' THEN given ELSE now() END
$$;
-- A new signature gets the name of its account, and the present time. A signature cannot be made or
-- ended when the requisition is canceled, or its order is final or canceled.
CREATE OR REPLACE FUNCTION guard_signature() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
    account record;
BEGIN
    IF EXISTS (
        SELECT 1 FROM requisitions r LEFT JOIN orders o ON o.requisition_id = r.id
        WHERE r.id = NEW.requisition_id AND (r.status = 2 OR o.status IN (16, 32))
    ) THEN
        RAISE EXCEPTION 'the signature of this requisition no longer changes'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF TG_OP = 'UPDATE' THEN
        NEW.removed_at := settle_instant(NEW.removed_at);
        RETURN NEW;
    END IF;
    SELECT coalesce(name_of_user(u.id), u.email) AS name INTO account
    FROM users u WHERE u.id = NEW.user_id;
    IF NOT FOUND OR NEW.removed_at IS NOT NULL THEN
        RAISE EXCEPTION 'a new signature has a known user, and has not ended'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    NEW.user_name := account.name;
    NEW.signed_at := settle_lab_time(NEW.signed_at);
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION guard_signature() FROM PUBLIC;
CREATE OR REPLACE TRIGGER signature_guarded BEFORE INSERT ON requisition_signatures
    FOR EACH ROW WHEN (current_user LIKE 'as\_%') EXECUTE FUNCTION guard_signature();
CREATE OR REPLACE TRIGGER signature_ended BEFORE UPDATE ON requisition_signatures FOR EACH ROW
    WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL AND current_user LIKE 'as\_%')
    EXECUTE FUNCTION guard_signature();
-- At the end of the transaction, a requisition is marked as signed while it has a signature.
CREATE OR REPLACE FUNCTION require_signature_mark() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM requisitions r
        WHERE r.id = NEW.requisition_id AND r.has_signature <> is_signed(r.id)
    ) THEN
        RAISE EXCEPTION 'a requisition is marked as signed while it has a signature'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION require_signature_mark() FROM PUBLIC;
-- PostgreSQL has no CREATE OR REPLACE for these.
DO $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_trigger WHERE tgname = 'signature_marked') THEN
        CREATE CONSTRAINT TRIGGER signature_marked AFTER INSERT OR UPDATE ON requisition_signatures
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_user LIKE 'as\_%')
            EXECUTE FUNCTION require_signature_mark();
    END IF;
END
$$;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
