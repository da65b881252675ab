"""Keep acknowledgments of orders, indexes."""

from alembic import op

revision: str = "0038"
down_revision: str | None = "0037"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_unread;
CREATE INDEX CONCURRENTLY ix_orders_unread ON orders (collection_day, id) INCLUDE (status, collection_date) WHERE is_unread;
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_unread_by_physician;
CREATE INDEX CONCURRENTLY ix_orders_unread_by_physician ON orders (collection_day, id) INCLUDE (status, collection_date) WHERE is_unread_by_physician;
"""


def upgrade() -> None:
    """Apply: writers go on meanwhile, so it takes as long as the longest statement that runs."""
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        for statement in _SQL.split(";"):
            if statement.strip():
                op.execute(statement)
        op.execute("RESET lock_timeout")
