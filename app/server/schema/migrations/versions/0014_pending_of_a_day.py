"""The pending requisitions of a day are found without reading the others of that day."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0014"
down_revision: str | None = "0013"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_index(
        "ix_requisitions_pending",
        "requisitions",
        ["collection_date", "id"],
        unique=False,
        postgresql_where=sa.text("status = 1"),
    )
