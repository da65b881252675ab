"""Keep times of cancellations within the transaction."""

from alembic import op

revision: str = "0070"
down_revision: str | None = "0069"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
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
-- Signed and canceled requisitions
-- A new requisition has no signature yet.
CREATE OR REPLACE TRIGGER requisition_begins_unsigned BEFORE INSERT ON requisitions
    FOR EACH ROW WHEN (NEW.has_signature) EXECUTE FUNCTION reject_change();
-- A cancellation has the name of the person who acts, and the present time.
CREATE OR REPLACE FUNCTION guard_cancellation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
    NEW.canceled_at := settle_instant(NEW.canceled_at);
    NEW.canceled_by_name := (
        SELECT coalesce(name_of_user(u.id), u.email) FROM users u
        WHERE u.id = nullif(current_setting('app.user', true), '')::uuid);
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION guard_cancellation() FROM PUBLIC;
CREATE OR REPLACE TRIGGER cancellation_guarded BEFORE UPDATE ON requisitions FOR EACH ROW WHEN (
    (OLD.canceled_at, OLD.canceled_by_name) IS DISTINCT FROM (NEW.canceled_at, NEW.canceled_by_name)
    AND current_user LIKE 'as\_%'
) EXECUTE FUNCTION guard_cancellation();
-- A signed requisition accepts no other diagnoses and medications, but an order without a diagnosis
-- may get one (ADR 40). A save that replaces rows with the same rows changes nothing: the policies
-- keep the old rows, and this removes the new ones.
CREATE OR REPLACE FUNCTION guard_signed_parts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    signed bigint[];
    others bigint;
BEGIN
    SELECT array_agg(r.id) INTO signed FROM requisitions r
    WHERE r.has_signature AND r.id IN (SELECT m.requisition_id FROM made m);
    IF signed IS NULL THEN
        RETURN NULL;
    END IF;
    EXECUTE format($sql$
        DELETE FROM %1$I n USING made m WHERE n.id = m.id AND EXISTS (
            SELECT 1 FROM %1$I o WHERE o.requisition_id = n.requisition_id
                AND o.id NOT IN (SELECT id FROM made)
                AND to_jsonb(o) - 'id' = to_jsonb(n) - 'id')
    $sql$, TG_TABLE_NAME);
    EXECUTE format($sql$
        SELECT count(*) FROM %1$I n JOIN made m USING (id)
        WHERE n.requisition_id = ANY($1) AND NOT (
            coalesce(to_jsonb(n) ->> 'purpose', '') = 'main'
            AND EXISTS (
                SELECT 1 FROM requisitions r WHERE r.id = n.requisition_id AND r.status = 4)
            AND NOT EXISTS (
                SELECT 1 FROM %1$I o WHERE o.requisition_id = n.requisition_id
                    AND o.id NOT IN (SELECT id FROM made) AND to_jsonb(o) ->> 'purpose' = 'main'))
    $sql$, TG_TABLE_NAME) INTO others USING signed;
    IF others > 0 THEN
        RAISE EXCEPTION 'a signed requisition accepts no other row of %', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION guard_signed_parts() FROM PUBLIC;
CREATE OR REPLACE TRIGGER signed_parts_guarded AFTER INSERT ON requisition_diagnoses
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT WHEN (current_user LIKE 'as\_%')
    EXECUTE FUNCTION guard_signed_parts();
CREATE OR REPLACE TRIGGER signed_parts_guarded AFTER INSERT ON requisition_medications
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT WHEN (current_user LIKE 'as\_%')
    EXECUTE FUNCTION guard_signed_parts();
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
