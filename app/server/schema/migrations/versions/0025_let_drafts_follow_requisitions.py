"""Let drafts follow requisitions."""

from alembic import op

revision: str = "0025"
down_revision: str | None = "0024"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
DROP POLICY as_client_delete ON requisition_drafts;
DROP POLICY as_client_insert ON requisition_drafts;
DROP POLICY as_client_select ON requisition_drafts;
DROP POLICY as_client_update ON requisition_drafts;
DROP POLICY as_patient_delete ON requisition_drafts;
DROP POLICY as_patient_insert ON requisition_drafts;
DROP POLICY as_patient_select ON requisition_drafts;
DROP POLICY as_patient_update ON requisition_drafts;
DROP POLICY as_physician_delete ON requisition_drafts;
DROP POLICY as_physician_insert ON requisition_drafts;
DROP POLICY as_physician_select ON requisition_drafts;
DROP POLICY as_physician_update ON requisition_drafts;
DROP POLICY as_staff_delete ON requisition_drafts;
DROP POLICY as_staff_insert ON requisition_drafts;
DROP POLICY as_staff_select ON requisition_drafts;
DROP POLICY as_staff_update ON requisition_drafts;
CREATE POLICY as_client_delete ON requisition_drafts FOR DELETE TO as_client USING (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
CREATE POLICY as_client_insert ON requisition_drafts FOR INSERT TO as_client WITH CHECK (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
CREATE POLICY as_client_select ON requisition_drafts FOR SELECT TO as_client USING (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
CREATE POLICY as_client_update ON requisition_drafts FOR UPDATE TO as_client USING (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id))) WITH CHECK (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
CREATE POLICY as_patient_delete ON requisition_drafts FOR DELETE TO as_patient USING (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
CREATE POLICY as_patient_insert ON requisition_drafts FOR INSERT TO as_patient WITH CHECK (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
CREATE POLICY as_patient_select ON requisition_drafts FOR SELECT TO as_patient USING (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
CREATE POLICY as_patient_update ON requisition_drafts FOR UPDATE TO as_patient USING (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id))) WITH CHECK (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
CREATE POLICY as_physician_delete ON requisition_drafts FOR DELETE TO as_physician USING (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
CREATE POLICY as_physician_insert ON requisition_drafts FOR INSERT TO as_physician WITH CHECK (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
CREATE POLICY as_physician_select ON requisition_drafts FOR SELECT TO as_physician USING (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
CREATE POLICY as_physician_update ON requisition_drafts FOR UPDATE TO as_physician USING (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id))) WITH CHECK (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
CREATE POLICY as_staff_delete ON requisition_drafts FOR DELETE TO as_staff USING (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
CREATE POLICY as_staff_insert ON requisition_drafts FOR INSERT TO as_staff WITH CHECK (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
CREATE POLICY as_staff_select ON requisition_drafts FOR SELECT TO as_staff USING (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
CREATE POLICY as_staff_update ON requisition_drafts FOR UPDATE TO as_staff USING (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id))) WITH CHECK (user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid) AND (patient_id IS NULL OR EXISTS (SELECT 1 FROM patients p WHERE p.id = requisition_drafts.patient_id) OR EXISTS (SELECT 1 FROM requisitions r WHERE r.id = requisition_drafts.requisition_id AND r.patient_id = requisition_drafts.patient_id)));
-- The code of a patient
-- People who may see a requisition or an order may know its patient's code, also after the patient
-- left their scope. The record's snapshot has all but the code. The function answers nothing else.
CREATE OR REPLACE FUNCTION code_of_patient(requested_id bigint) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT code FROM patients WHERE id = requested_id
$$;
REVOKE ALL ON FUNCTION code_of_patient(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION code_of_patient(bigint) TO as_staff, as_client, as_physician, as_patient;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
