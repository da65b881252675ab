"""Include actions in the index of a person's audit events."""

from alembic import op

revision: str = "0067"
down_revision: str | None = "0066"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
DROP INDEX CONCURRENTLY IF EXISTS ix_audit_events_user_id_at_id;
CREATE INDEX CONCURRENTLY ix_audit_events_user_id_at_id ON audit_events (user_id, at, id) INCLUDE (action);
"""


def upgrade() -> None:
    """Apply: writers go on meanwhile, so it takes as long as the longest statement that runs."""
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        for statement in _SQL.split(";"):
            if statement.strip():
                op.execute(statement)
        op.execute("RESET lock_timeout")
