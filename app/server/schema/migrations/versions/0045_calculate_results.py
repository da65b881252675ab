"""Calculate results."""

from alembic import op

revision: str = "0045"
down_revision: str | None = "0044"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE lab_tests ADD COLUMN formula TEXT;
ALTER TABLE lab_tests ADD COLUMN formula_inputs TEXT[] DEFAULT '{}' NOT NULL;
ALTER TABLE lab_tests ADD COLUMN formula_source TEXT;
ALTER TABLE results ADD COLUMN formula TEXT;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
