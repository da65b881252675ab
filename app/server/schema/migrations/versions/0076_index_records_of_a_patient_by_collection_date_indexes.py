"""Index records of a patient by collection date, indexes."""

from alembic import op

revision: str = "0076"
down_revision: str | None = "0075"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_patient_id_collection_date_id;
CREATE INDEX CONCURRENTLY ix_orders_patient_id_collection_date_id ON orders (patient_id, collection_date, id);
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_patient_id_id;
DROP INDEX CONCURRENTLY IF EXISTS ix_requisitions_patient_id_collection_date_id;
CREATE INDEX CONCURRENTLY ix_requisitions_patient_id_collection_date_id ON requisitions (patient_id, collection_date, id);
DROP INDEX CONCURRENTLY IF EXISTS ix_requisitions_patient_id_id;
"""


def upgrade() -> None:
    """Apply: writers continue meanwhile, so it takes as long as the longest statement that runs."""
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        for statement in _SQL.split(";"):
            if statement.strip():
                op.execute(statement)
        op.execute("RESET lock_timeout")
