"""Follow critical results."""

from alembic import op

revision: str = "0048"
down_revision: str | None = "0047"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE critical_items ADD COLUMN replaced_at TIMESTAMP WITH TIME ZONE;
ALTER TABLE critical_items ADD COLUMN replaced_by TEXT;
ALTER TABLE critical_items ADD COLUMN corrects TEXT;
CREATE POLICY as_staff_update ON critical_items FOR UPDATE TO as_staff USING (true) WITH CHECK (true);
CREATE POLICY as_worker_update ON critical_items FOR UPDATE TO as_worker USING (true) WITH CHECK (true);
GRANT UPDATE ON critical_items TO as_staff;
GRANT UPDATE ON critical_items TO as_worker;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
