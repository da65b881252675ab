"""Add ids of ordered tests."""

from alembic import op

revision: str = "0019"
down_revision: str | None = "0018"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE orders ADD COLUMN test_ids INTEGER[] DEFAULT '{}' NOT NULL;
ALTER TABLE requisitions ADD COLUMN test_ids INTEGER[] DEFAULT '{}' NOT NULL;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
