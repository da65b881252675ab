"""Let physicians edit."""

from alembic import op

revision: str = "0024"
down_revision: str | None = "0023"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
CREATE POLICY as_physician_delete ON requisition_copies FOR DELETE TO as_physician USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_copies.requisition_id));
CREATE POLICY as_physician_insert ON requisition_copies FOR INSERT TO as_physician WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_copies.requisition_id));
GRANT INSERT, DELETE ON requisition_copies TO as_physician;
CREATE POLICY as_physician_delete ON requisition_diagnoses FOR DELETE TO as_physician USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_diagnoses.requisition_id));
CREATE POLICY as_physician_insert ON requisition_diagnoses FOR INSERT TO as_physician WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_diagnoses.requisition_id));
GRANT INSERT, DELETE ON requisition_diagnoses TO as_physician;
CREATE POLICY as_physician_insert ON requisition_documents FOR INSERT TO as_physician WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_documents.requisition_id));
CREATE POLICY as_physician_update ON requisition_documents FOR UPDATE TO as_physician USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_documents.requisition_id)) WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_documents.requisition_id));
GRANT INSERT, UPDATE ON requisition_documents TO as_physician;
CREATE POLICY as_physician_delete ON requisition_medications FOR DELETE TO as_physician USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_medications.requisition_id));
CREATE POLICY as_physician_insert ON requisition_medications FOR INSERT TO as_physician WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_medications.requisition_id));
GRANT INSERT, DELETE ON requisition_medications TO as_physician;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
