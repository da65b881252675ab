"""Let birth dates be empty, indexes."""

from alembic import op

revision: str = "0078"
down_revision: str | None = "0077"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
DROP INDEX CONCURRENTLY IF EXISTS ix_patients_birth_order;
CREATE INDEX CONCURRENTLY ix_patients_birth_order ON patients ((CASE WHEN birth_date IS NULL THEN '0001-01-01'::date ELSE birth_date END), id);
DROP INDEX CONCURRENTLY IF EXISTS ix_patients_client_id_birth_order;
CREATE INDEX CONCURRENTLY ix_patients_client_id_birth_order ON patients (client_id, (CASE WHEN birth_date IS NULL THEN '0001-01-01'::date ELSE birth_date END), id);
"""


def upgrade() -> None:
    """Apply: writers continue meanwhile, so it takes as long as the longest statement that runs."""
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        for statement in _SQL.split(";"):
            if statement.strip():
                op.execute(statement)
        op.execute("RESET lock_timeout")
