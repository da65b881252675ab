"""Say what reopened acknowledgments."""

from alembic import op

revision: str = "0051"
down_revision: str | None = "0050"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE order_acknowledgments ADD COLUMN reopened_by TEXT;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
