"""Announce records to people who lose them."""

from alembic import op

revision: str = "0085"
down_revision: str | None = "0084"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
-- Live changes
-- The transaction that makes a new version of a watched record also notes it. The function runs
-- with its owner's rights, because nobody else may write into the stream.
CREATE OR REPLACE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
    INSERT INTO public.changes (kind, record_id, version, client_id, physician_id, patient_id)
    VALUES (TG_ARGV[0], NEW.id, NEW.version, NEW.client_id, NEW.physician_id, NEW.patient_id);
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION note_change() FROM PUBLIC;
CREATE OR REPLACE TRIGGER requisition_made AFTER INSERT ON requisitions
    FOR EACH ROW EXECUTE FUNCTION note_change('requisition');
CREATE OR REPLACE TRIGGER requisition_changed AFTER UPDATE ON requisitions
    FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION note_change('requisition');
CREATE OR REPLACE TRIGGER order_made AFTER INSERT ON orders
    FOR EACH ROW EXECUTE FUNCTION note_change('order');
CREATE OR REPLACE TRIGGER order_changed AFTER UPDATE ON orders
    FOR EACH ROW WHEN (
        NEW.version <> OLD.version OR NEW.acknowledged_at IS DISTINCT FROM OLD.acknowledged_at
    ) EXECUTE FUNCTION note_change('order');
-- People who lose a record to another physician, client, or patient also learn that it changed, so
-- that their grids remove its row. Scope columns that stay the same are empty, because note_change
-- informs their people. The patient lets pages about the patient follow.
CREATE OR REPLACE FUNCTION note_departure() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
    INSERT INTO public.changes (kind, record_id, version, client_id, physician_id, patient_id)
    VALUES (TG_ARGV[0], NEW.id, NEW.version, nullif(OLD.client_id, NEW.client_id),
        nullif(OLD.physician_id, NEW.physician_id), OLD.patient_id);
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION note_departure() FROM PUBLIC;
CREATE OR REPLACE TRIGGER requisition_departed AFTER UPDATE ON requisitions
    FOR EACH ROW WHEN (
        NEW.client_id <> OLD.client_id OR NEW.patient_id <> OLD.patient_id OR (
            OLD.physician_id IS NOT NULL AND NEW.physician_id IS DISTINCT FROM OLD.physician_id)
    ) EXECUTE FUNCTION note_departure('requisition');
CREATE OR REPLACE TRIGGER order_departed AFTER UPDATE ON orders
    FOR EACH ROW WHEN (
        NEW.client_id <> OLD.client_id OR NEW.patient_id <> OLD.patient_id OR (
            OLD.physician_id IS NOT NULL AND NEW.physician_id IS DISTINCT FROM OLD.physician_id)
    ) EXECUTE FUNCTION note_departure('order');
-- An order shares the signature of its requisition, and keeps its version when that changes.
CREATE OR REPLACE FUNCTION note_order_signature() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
    INSERT INTO public.changes (kind, record_id, version, client_id, physician_id, patient_id)
    SELECT 'order', o.id, o.version, o.client_id, o.physician_id, o.patient_id
    FROM public.orders o WHERE o.requisition_id = NEW.id;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION note_order_signature() FROM PUBLIC;
CREATE OR REPLACE TRIGGER requisition_signed AFTER UPDATE ON requisitions
    FOR EACH ROW WHEN (NEW.has_signature <> OLD.has_signature)
    EXECUTE FUNCTION note_order_signature();
-- A call about a critical result changes only the notice, and an open order page shows its state.
CREATE OR REPLACE FUNCTION note_critical_notice() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
    INSERT INTO public.changes (kind, record_id, version, client_id, physician_id, patient_id)
    SELECT 'order', o.id, o.version, o.client_id, o.physician_id, o.patient_id
    FROM public.orders o WHERE o.id = NEW.order_id;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION note_critical_notice() FROM PUBLIC;
CREATE OR REPLACE TRIGGER critical_notice_changed AFTER UPDATE ON critical_notices
    FOR EACH ROW WHEN (NEW.version <> OLD.version)
    EXECUTE FUNCTION note_critical_notice();
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
