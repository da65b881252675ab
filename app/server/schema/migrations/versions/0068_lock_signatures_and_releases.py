"""Lock signatures and releases."""

from alembic import op

revision: str = "0068"
down_revision: str | None = "0067"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
-- Signatures
-- A requisition counts as signed while it has a signature that nobody has ended. A new signature
-- gets the name of its account, and cannot be dated. The lab's time is at most 14 hours from UTC.
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
CREATE OR REPLACE FUNCTION guard_signature() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
    IF abs(extract(epoch FROM NEW.signed_at - (now() AT TIME ZONE 'UTC'))) > 15 * 3600 THEN
        RAISE EXCEPTION 'a signature has the time at which it is made'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    NEW.user_name := coalesce(name_of_user(NEW.user_id), NEW.user_name);
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION guard_signature() FROM PUBLIC;
CREATE OR REPLACE TRIGGER signature_guarded BEFORE INSERT ON requisition_signatures
    FOR EACH ROW WHEN (current_user LIKE 'as\_%') EXECUTE FUNCTION guard_signature();
-- Releases
-- Only the lab releases, in the name of the person who does, or by a rule and in nobody's name.
CREATE OR REPLACE FUNCTION guard_release() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.released_at IS NOT NULL THEN
        RETURN NEW;  -- its lock decides
    END IF;
    IF current_user = 'as_staff' THEN
        IF NEW.released_by = nullif(current_setting('app.user', true), '')::uuid THEN
            RETURN NEW;
        END IF;
        IF TG_TABLE_NAME = 'results' AND NEW.released_by IS NULL THEN
            IF NEW.autoverified_version IS NOT NULL THEN
                RETURN NEW;
            END IF;
        END IF;
    END IF;
    RAISE EXCEPTION 'a row of % is released by somebody else', TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$;
REVOKE ALL ON FUNCTION guard_release() FROM PUBLIC;
CREATE OR REPLACE TRIGGER release_guarded BEFORE INSERT OR UPDATE ON results
    FOR EACH ROW WHEN (NEW.released_at IS NOT NULL AND current_user LIKE 'as\_%')
    EXECUTE FUNCTION guard_release();
CREATE OR REPLACE TRIGGER release_guarded BEFORE INSERT OR UPDATE ON cultures
    FOR EACH ROW WHEN (NEW.released_at IS NOT NULL AND current_user LIKE 'as\_%')
    EXECUTE FUNCTION guard_release();
CREATE OR REPLACE TRIGGER release_guarded BEFORE INSERT OR UPDATE ON toxicology_results
    FOR EACH ROW WHEN (NEW.released_at IS NOT NULL AND current_user LIKE 'as\_%')
    EXECUTE FUNCTION guard_release();
CREATE OR REPLACE TRIGGER release_guarded BEFORE INSERT OR UPDATE ON pathology_reports
    FOR EACH ROW WHEN (NEW.released_at IS NOT NULL AND current_user LIKE 'as\_%')
    EXECUTE FUNCTION guard_release();
-- Current versions of released results
-- A correction makes the version before it no longer current. At the end of the transaction, there
-- must be a current version in its place, so that no released result disappears.
CREATE OR REPLACE FUNCTION require_current_version() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    has_current boolean;
BEGIN
    EXECUTE format(
        'SELECT EXISTS (SELECT 1 FROM %I WHERE order_test_id = $1 AND is_current)', TG_TABLE_NAME
    ) INTO has_current USING OLD.order_test_id;
    IF NOT has_current THEN
        RAISE EXCEPTION 'a released row of % has no current version', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION require_current_version() FROM PUBLIC;
-- PostgreSQL has no CREATE OR REPLACE for these.
DO $$
DECLARE
    versioned text;
BEGIN
    FOREACH versioned IN ARRAY
        ARRAY['results', 'cultures', 'toxicology_results', 'pathology_reports']
    LOOP
        IF NOT EXISTS (
            SELECT 1 FROM pg_trigger
            WHERE tgname = 'current_version_kept' AND tgrelid = versioned::regclass
        ) THEN
            EXECUTE format(
                'CREATE CONSTRAINT TRIGGER current_version_kept AFTER UPDATE ON %I '
                'DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.released_at IS NOT NULL '
                'AND OLD.is_current AND NOT NEW.is_current AND current_user LIKE ''as\_%%'') '
                'EXECUTE FUNCTION require_current_version()',
                versioned
            );
        END IF;
    END LOOP;
END
$$;
CREATE OR REPLACE TRIGGER lock_status BEFORE UPDATE ON requisitions FOR EACH ROW WHEN (OLD.status <> 1 AND ROW(OLD.status) IS DISTINCT FROM ROW(NEW.status)) EXECUTE FUNCTION reject_change();
CREATE OR REPLACE TRIGGER lock_signed BEFORE UPDATE ON requisitions FOR EACH ROW WHEN (OLD.has_signature AND is_signed(OLD.id) AND ROW(OLD.has_signature) IS DISTINCT FROM ROW(NEW.has_signature)) EXECUTE FUNCTION reject_change();
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
