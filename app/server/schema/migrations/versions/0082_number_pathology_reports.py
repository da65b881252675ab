"""Number pathology reports."""

from alembic import op

revision: str = "0082"
down_revision: str | None = "0081"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE pathology_reports ADD COLUMN number SMALLINT;
GRANT UPDATE (number) ON pathology_reports TO as_client;
GRANT UPDATE (number) ON pathology_reports TO as_staff;
GRANT UPDATE (number) ON pathology_reports TO as_worker;
-- Before the lock of released reports knows the column.
UPDATE pathology_reports p SET number = n.number FROM (
    SELECT id, row_number() OVER (PARTITION BY order_test_id, kind ORDER BY revision) AS number
    FROM pathology_reports WHERE released_at IS NOT NULL
) n WHERE n.id = p.id;
CREATE OR REPLACE TRIGGER lock_released BEFORE UPDATE ON pathology_reports FOR EACH ROW WHEN (OLD.released_at IS NOT NULL AND ROW(OLD.id, OLD.order_id, OLD.order_test_id, OLD.revision, OLD.is_current, OLD.kind, OLD.number, OLD.content, OLD.flag, OLD.signed_out_by, OLD.reason_code, OLD.reason, OLD.explanation, OLD.entered_by, OLD.entered_at, OLD.released_by, OLD.released_by_name, OLD.released_at) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.order_test_id, NEW.revision, NEW.is_current, NEW.kind, NEW.number, NEW.content, NEW.flag, NEW.signed_out_by, NEW.reason_code, NEW.reason, NEW.explanation, NEW.entered_by, NEW.entered_at, NEW.released_by, NEW.released_by_name, NEW.released_at)) EXECUTE FUNCTION reject_change();
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
