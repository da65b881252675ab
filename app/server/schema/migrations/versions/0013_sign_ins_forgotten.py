"""Background work may delete the marks of sign-ins that are too old to sign anything."""

from collections.abc import Sequence

from app.server.schema.migrations import run_script

revision: str = "0013"
down_revision: str | None = "0012"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    run_script("0013_policies.sql")
