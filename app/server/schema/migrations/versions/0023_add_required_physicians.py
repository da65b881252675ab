"""Add required physicians."""

from alembic import op

revision: str = "0023"
down_revision: str | None = "0022"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE clients ADD COLUMN requires_physician BOOLEAN DEFAULT false NOT NULL;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
