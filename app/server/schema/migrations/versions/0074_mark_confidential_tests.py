"""Mark confidential tests."""

from alembic import op

revision: str = "0074"
down_revision: str | None = "0073"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE lab_tests ADD COLUMN is_confidential BOOLEAN DEFAULT false NOT NULL;
GRANT UPDATE (is_confidential) ON lab_tests TO as_staff;
GRANT UPDATE (is_confidential) ON lab_tests TO as_worker;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
