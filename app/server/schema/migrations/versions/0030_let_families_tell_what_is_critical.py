"""Let families tell what is critical."""

from alembic import op

revision: str = "0030"
down_revision: str | None = "0029"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
CREATE TABLE reasons (
    kind TEXT NOT NULL,
    code TEXT NOT NULL,
    words TEXT NOT NULL,
    position SMALLINT NOT NULL,
    CONSTRAINT pk_reasons PRIMARY KEY (kind, code)
);
ALTER TABLE orders ADD COLUMN critical_kinds SMALLINT DEFAULT 0 NOT NULL;
ALTER TABLE orders ADD COLUMN abnormal_kinds SMALLINT DEFAULT 0 NOT NULL;
ALTER TABLE reasons ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON reasons TO as_client;
CREATE POLICY as_client_select ON reasons FOR SELECT TO as_client USING (true);
GRANT SELECT ON reasons TO as_patient;
CREATE POLICY as_patient_select ON reasons FOR SELECT TO as_patient USING (true);
GRANT SELECT ON reasons TO as_physician;
CREATE POLICY as_physician_select ON reasons FOR SELECT TO as_physician USING (true);
GRANT SELECT, INSERT, UPDATE ON reasons TO as_staff;
CREATE POLICY as_staff_select ON reasons FOR SELECT TO as_staff USING (true);
CREATE POLICY as_staff_insert ON reasons FOR INSERT TO as_staff WITH CHECK (true);
CREATE POLICY as_staff_update ON reasons FOR UPDATE TO as_staff USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON reasons TO as_worker;
CREATE POLICY as_worker_select ON reasons FOR SELECT TO as_worker USING (true);
CREATE POLICY as_worker_insert ON reasons FOR INSERT TO as_worker WITH CHECK (true);
CREATE POLICY as_worker_update ON reasons FOR UPDATE TO as_worker USING (true) WITH CHECK (true);
"""

# In small transactions, since a lab works meanwhile. Earlier results are all clinical.
_FILL = r"""
DO $$
DECLARE
    first bigint := 0;
    last bigint;
BEGIN
    LOOP
        SELECT max(id) INTO last
        FROM (SELECT id FROM orders WHERE id >= first ORDER BY id LIMIT 2000) batch;
        EXIT WHEN last IS NULL;
        UPDATE orders SET critical_kinds = has_critical::int, abnormal_kinds = has_abnormal::int
        WHERE id BETWEEN first AND last AND (has_critical OR has_abnormal)
            AND critical_kinds = 0 AND abnormal_kinds = 0;
        COMMIT;
        first := last + 1;
    END LOOP;
END
$$
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
    with op.get_context().autocommit_block():
        op.execute(_FILL)
