"""Add volumes."""

from alembic import op

revision: str = "0021"
down_revision: str | None = "0020"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
CREATE TABLE containers (
    name TEXT NOT NULL,
    volume_ml NUMERIC NOT NULL,
    CONSTRAINT pk_containers PRIMARY KEY (name),
    CONSTRAINT ck_containers_volume_ml CHECK (volume_ml > 0)
);
ALTER TABLE lab_tests ADD COLUMN required_ml NUMERIC;
ALTER TABLE containers ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON containers TO as_client;
CREATE POLICY as_client_select ON containers FOR SELECT TO as_client USING (true);
GRANT SELECT ON containers TO as_patient;
CREATE POLICY as_patient_select ON containers FOR SELECT TO as_patient USING (true);
GRANT SELECT ON containers TO as_physician;
CREATE POLICY as_physician_select ON containers FOR SELECT TO as_physician USING (true);
GRANT SELECT, INSERT, UPDATE ON containers TO as_staff;
CREATE POLICY as_staff_select ON containers FOR SELECT TO as_staff USING (true);
CREATE POLICY as_staff_insert ON containers FOR INSERT TO as_staff WITH CHECK (true);
CREATE POLICY as_staff_update ON containers FOR UPDATE TO as_staff USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON containers TO as_worker;
CREATE POLICY as_worker_select ON containers FOR SELECT TO as_worker USING (true);
CREATE POLICY as_worker_insert ON containers FOR INSERT TO as_worker WITH CHECK (true);
CREATE POLICY as_worker_update ON containers FOR UPDATE TO as_worker USING (true) WITH CHECK (true);
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
