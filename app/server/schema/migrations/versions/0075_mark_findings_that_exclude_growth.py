"""Mark findings that exclude growth."""

from alembic import op

revision: str = "0075"
down_revision: str | None = "0074"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE culture_terms ADD COLUMN excludes_growth BOOLEAN DEFAULT false NOT NULL;
GRANT UPDATE (excludes_growth) ON culture_terms TO as_staff;
GRANT UPDATE (excludes_growth) ON culture_terms TO as_worker;
-- The codes that the portal comes with; a lab marks its own findings itself.
UPDATE culture_terms SET excludes_growth = true
  WHERE kind = 'finding' AND code IN ('NGTD', 'NG', 'NG24', 'NG48', 'NG5');
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
