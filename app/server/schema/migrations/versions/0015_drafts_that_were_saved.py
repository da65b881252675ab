"""A draft that was saved holds nothing any more, and says which requisition came of it."""

from collections.abc import Sequence

from alembic import op

revision: str = "0015"
down_revision: str | None = "0014"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.alter_column("requisition_drafts", "content", nullable=True)
