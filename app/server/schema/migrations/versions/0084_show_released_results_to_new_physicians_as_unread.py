"""Show released results to new physicians as unread."""

from alembic import op

revision: str = "0084"
down_revision: str | None = "0083"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
-- Orders with missing information
-- Filling in what an order lacks changes its physician, comment, and mark, and an empty birth date.
-- A new physician has not read the released results, even if another one acknowledged them. The
-- function runs with its owner's rights, because people outside the lab cannot write orders.
CREATE OR REPLACE FUNCTION complete_order() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
    UPDATE public.orders o SET physician_id = NEW.physician_id, billing_comment = NEW.comment,
        patient_birth_date = coalesce(o.patient_birth_date, NEW.birth_date),
        lacks_info = NEW.lacks_info, version = o.version + 1,
        is_unread_by_physician = o.is_unread_by_physician OR (
            NEW.physician_id IS DISTINCT FROM o.physician_id AND o.status IN (4, 8, 16, 64))
    WHERE o.id = NEW.order_id;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION complete_order() FROM PUBLIC;
CREATE OR REPLACE TRIGGER order_completed AFTER INSERT ON order_completions
    FOR EACH ROW EXECUTE FUNCTION complete_order();
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
