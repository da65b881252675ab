"""Index the audit log, indexes."""

from alembic import op

revision: str = "0062"
down_revision: str | None = "0061"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
DROP INDEX CONCURRENTLY IF EXISTS ix_audit_events_at_id;
CREATE INDEX CONCURRENTLY ix_audit_events_at_id ON audit_events (at, id);
DROP INDEX CONCURRENTLY IF EXISTS ix_audit_events_denied;
CREATE INDEX CONCURRENTLY ix_audit_events_denied ON audit_events (at, id) WHERE action IN ('fail-password-change', 'fail-second-factor', 'fail-sign-in', 'fail-sign-up', 'refuse', 'refuse-sign-in');
DROP INDEX CONCURRENTLY IF EXISTS ix_audit_events_record_ids;
CREATE INDEX CONCURRENTLY ix_audit_events_record_ids ON audit_events USING gin (record_ids);
DROP INDEX CONCURRENTLY IF EXISTS ix_audit_events_user_id_at_id;
CREATE INDEX CONCURRENTLY ix_audit_events_user_id_at_id ON audit_events (user_id, at, id);
"""


def upgrade() -> None:
    """Apply: writers go on meanwhile, so it takes as long as the longest statement that runs."""
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        for statement in _SQL.split(";"):
            if statement.strip():
                op.execute(statement)
        op.execute("RESET lock_timeout")
