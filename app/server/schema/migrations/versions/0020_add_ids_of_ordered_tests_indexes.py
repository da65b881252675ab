"""Add ids of ordered tests: those of older rows, and indexes."""

from alembic import op

revision: str = "0020"
down_revision: str | None = "0019"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
DROP INDEX CONCURRENTLY IF EXISTS ix_orders_test_ids;
CREATE INDEX CONCURRENTLY ix_orders_test_ids ON orders USING gin (test_ids);
DROP INDEX CONCURRENTLY IF EXISTS ix_requisitions_client_rows;
CREATE INDEX CONCURRENTLY ix_requisitions_client_rows ON requisitions (client_id, id) INCLUDE (patient_last_name, patient_first_name, collection_date, status, has_signature, code, unit_name, room_name, bed, test_ids);
DROP INDEX CONCURRENTLY IF EXISTS ix_requisitions_physician_rows;
CREATE INDEX CONCURRENTLY ix_requisitions_physician_rows ON requisitions (physician_id, id) INCLUDE (patient_last_name, patient_first_name, collection_date, status, has_signature, code, unit_name, room_name, bed, test_ids);
DROP INDEX CONCURRENTLY IF EXISTS ix_requisitions_test_ids;
CREATE INDEX CONCURRENTLY ix_requisitions_test_ids ON requisitions USING gin (test_ids);
DROP INDEX CONCURRENTLY IF EXISTS ix_requisitions_room_and_bed_trgm;
CREATE INDEX CONCURRENTLY ix_requisitions_room_and_bed_trgm ON requisitions USING gin (coalesce(room_name || ' - ' || bed, room_name, bed) gin_trgm_ops);
DROP INDEX CONCURRENTLY IF EXISTS ix_requisitions_client_id_id;
DROP INDEX CONCURRENTLY IF EXISTS ix_requisitions_physician_id_id;
"""

# In small transactions, since a lab works meanwhile. What is done is not done again.
_FILL = r"""
DO $$
DECLARE
    first bigint := 0;
    last bigint;
BEGIN
    LOOP
        SELECT max(id) INTO last
        FROM (SELECT id FROM requisitions WHERE id >= first ORDER BY id LIMIT 2000) batch;
        EXIT WHEN last IS NULL;
        UPDATE requisitions r SET test_ids = ordered.ids FROM (
            SELECT o.requisition_id, array_agg(o.test_id::integer ORDER BY o.position) AS ids
            FROM requisition_tests o
            WHERE o.requisition_id BETWEEN first AND last AND o.parent_id IS NULL
            GROUP BY o.requisition_id
        ) ordered WHERE r.id = ordered.requisition_id AND r.test_ids = '{}';
        UPDATE orders o SET test_ids = r.test_ids FROM requisitions r
        WHERE r.id = o.requisition_id AND r.id BETWEEN first AND last AND o.test_ids = '{}'
            AND r.test_ids <> '{}';
        COMMIT;
        first := last + 1;
    END LOOP;
END
$$
"""


def upgrade() -> None:
    """Apply: writers go on meanwhile, so it takes as long as the longest statement that runs."""
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        op.execute(_FILL)
        for statement in _SQL.split(";"):
            if statement.strip():
                op.execute(statement)
        op.execute("RESET lock_timeout")
