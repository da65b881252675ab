"""Let birth dates be empty."""

from alembic import op

revision: str = "0077"
down_revision: str | None = "0076"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE order_completions ADD COLUMN birth_date DATE;
ALTER TABLE orders ALTER COLUMN patient_birth_date DROP NOT NULL;
ALTER TABLE patients ALTER COLUMN birth_date DROP NOT NULL;
ALTER TABLE requisitions ALTER COLUMN patient_birth_date DROP NOT NULL;
-- Orders with missing information
-- Filling in what an order lacks changes its physician, comment, and mark, and an empty birth date.
-- The function runs with its owner's rights, because people outside the lab cannot write orders.
CREATE OR REPLACE FUNCTION complete_order() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
    UPDATE public.orders o SET physician_id = NEW.physician_id, billing_comment = NEW.comment,
        patient_birth_date = coalesce(o.patient_birth_date, NEW.birth_date),
        lacks_info = NEW.lacks_info, version = o.version + 1
    WHERE o.id = NEW.order_id;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION complete_order() FROM PUBLIC;
CREATE OR REPLACE TRIGGER order_completed AFTER INSERT ON order_completions
    FOR EACH ROW EXECUTE FUNCTION complete_order();
CREATE OR REPLACE TRIGGER lock_content BEFORE UPDATE ON requisitions FOR EACH ROW WHEN (OLD.has_signature AND ROW(OLD.patient_id, OLD.collection_date, OLD.fasting, OLD.priority, OLD.test_ids, OLD.patient_last_name, OLD.patient_first_name, OLD.patient_middle_name, OLD.patient_gender) IS DISTINCT FROM ROW(NEW.patient_id, NEW.collection_date, NEW.fasting, NEW.priority, NEW.test_ids, NEW.patient_last_name, NEW.patient_first_name, NEW.patient_middle_name, NEW.patient_gender)) EXECUTE FUNCTION reject_change();
CREATE OR REPLACE TRIGGER lock_birth_date BEFORE UPDATE ON requisitions FOR EACH ROW WHEN (OLD.has_signature AND (OLD.patient_birth_date IS NOT NULL OR OLD.status <> 4) AND ROW(OLD.patient_birth_date) IS DISTINCT FROM ROW(NEW.patient_birth_date)) EXECUTE FUNCTION reject_change();
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
