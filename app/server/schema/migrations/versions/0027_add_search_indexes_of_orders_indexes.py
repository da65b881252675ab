"""Add search indexes of orders, indexes."""

from alembic import op

revision: str = "0027"
down_revision: str | None = "0026"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_client_id_id;
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_physician_id_id;
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_client_rows;
CREATE INDEX CONCURRENTLY ix_orders_client_rows ON orders (client_id, id) INCLUDE (patient_last_name, patient_first_name, collection_date, status, has_critical, code, unit_name, room_name, bed, test_ids);
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_collection_day_id;
CREATE INDEX CONCURRENTLY ix_orders_collection_day_id ON orders (collection_day, id) INCLUDE (status, has_critical);
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_critical;
CREATE INDEX CONCURRENTLY ix_orders_critical ON orders (collection_day, id) INCLUDE (status, collection_date) WHERE has_critical;
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_patient_birth_date_collection_date_id;
CREATE INDEX CONCURRENTLY ix_orders_patient_birth_date_collection_date_id ON orders (patient_birth_date, collection_date, id);
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_patient_first_name_collection_date_id;
CREATE INDEX CONCURRENTLY ix_orders_patient_first_name_collection_date_id ON orders (patient_first_name, collection_date, id) INCLUDE (patient_last_name, status, has_critical);
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_patient_last_name_collection_date_id;
CREATE INDEX CONCURRENTLY ix_orders_patient_last_name_collection_date_id ON orders (patient_last_name, collection_date, id) INCLUDE (patient_first_name, status, has_critical);
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_physician_rows;
CREATE INDEX CONCURRENTLY ix_orders_physician_rows ON orders (physician_id, id) INCLUDE (patient_last_name, patient_first_name, collection_date, status, has_critical, code, unit_name, room_name, bed, test_ids);
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_received_at_id;
CREATE INDEX CONCURRENTLY ix_orders_received_at_id ON orders (received_at, id);
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_status_days;
CREATE INDEX CONCURRENTLY ix_orders_status_days ON orders (status, collection_day, id) INCLUDE (collection_date, has_critical);
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_texts_trgm;
CREATE INDEX CONCURRENTLY ix_orders_texts_trgm ON orders USING gin (code gin_trgm_ops, unit_name gin_trgm_ops, room_name gin_trgm_ops, bed gin_trgm_ops);
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_room_and_bed_trgm;
CREATE INDEX CONCURRENTLY ix_orders_room_and_bed_trgm ON orders USING gin (coalesce(room_name || ' - ' || bed, room_name, bed) gin_trgm_ops);
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_client_id_collection_date_id;
CREATE INDEX CONCURRENTLY ix_orders_client_id_collection_date_id ON orders (client_id, collection_date, id) INCLUDE (status, has_critical);
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_physician_id_collection_date_id;
CREATE INDEX CONCURRENTLY ix_orders_physician_id_collection_date_id ON orders (physician_id, collection_date, id) INCLUDE (status, has_critical);
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_collection_date_id;
CREATE INDEX CONCURRENTLY ix_orders_collection_date_id ON orders (collection_date, id) INCLUDE (status, has_critical);
"""


def upgrade() -> None:
    """Apply: writers go on meanwhile, so it takes as long as the longest statement that runs."""
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        for statement in _SQL.split(";"):
            if statement.strip():
                op.execute(statement)
        op.execute("RESET lock_timeout")
