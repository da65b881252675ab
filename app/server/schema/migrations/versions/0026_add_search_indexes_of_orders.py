"""Add search indexes of orders."""

from alembic import op

revision: str = "0026"
down_revision: str | None = "0025"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE orders ADD COLUMN collection_day DATE GENERATED ALWAYS AS (collection_date::date) STORED NOT NULL;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
