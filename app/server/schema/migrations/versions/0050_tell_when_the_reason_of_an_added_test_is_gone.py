"""Tell when the reason of an added test is gone."""

from alembic import op

revision: str = "0050"
down_revision: str | None = "0049"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE order_additions ADD COLUMN is_reason_gone BOOLEAN DEFAULT false NOT NULL;
CREATE POLICY as_staff_update ON order_additions FOR UPDATE TO as_staff USING (true) WITH CHECK (true);
CREATE POLICY as_worker_update ON order_additions FOR UPDATE TO as_worker USING (true) WITH CHECK (true);
GRANT UPDATE ON order_additions TO as_staff;
GRANT UPDATE ON order_additions TO as_worker;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
