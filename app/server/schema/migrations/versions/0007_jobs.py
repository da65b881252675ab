"""Background jobs, in a schema of their own."""

from collections.abc import Sequence

from alembic import op
from procrastinate.schema import SchemaManager

from app.server.schema.migrations import run_script, run_text

revision: str = "0007"
down_revision: str | None = "0006"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.execute("CREATE SCHEMA jobs")
    # The library's own script, which names its tables without a schema. ``tests/server/jobs`` says
    # when a release brings another one: a new revision then carries what that release changes.
    op.execute("SET LOCAL search_path TO jobs, public")
    run_text(SchemaManager.get_schema())
    op.execute("SET LOCAL search_path TO DEFAULT")
    run_script("0007_jobs.sql")
