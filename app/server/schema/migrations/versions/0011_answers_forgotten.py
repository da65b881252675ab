"""Answers kept for a second try are encrypted now and forgotten after a day: those that were kept
in clear go at once, and background work may delete old ones."""

from collections.abc import Sequence

from alembic import op

from app.server.schema.migrations import run_script

revision: str = "0011"
down_revision: str | None = "0010"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.execute("TRUNCATE idempotency_keys")
    run_script("0011_policies.sql")
