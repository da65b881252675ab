"""Background work may delete old drafts, which nobody is offered any more."""

from collections.abc import Sequence

from app.server.schema.migrations import run_script

revision: str = "0012"
down_revision: str | None = "0011"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    run_script("0012_policies.sql")
