"""Withhold results of every family."""

from alembic import op

revision: str = "0054"
down_revision: str | None = "0053"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE cultures ADD COLUMN withheld TEXT;
ALTER TABLE cultures ADD COLUMN withheld_reason TEXT;
ALTER TABLE cultures ADD COLUMN withheld_words TEXT;
ALTER TABLE cultures ADD COLUMN withheld_by UUID;
ALTER TABLE cultures ADD COLUMN withheld_at TIMESTAMP(0) WITHOUT TIME ZONE;
ALTER TABLE order_tests ADD COLUMN withheld_at TIMESTAMP(0) WITHOUT TIME ZONE;
ALTER TABLE pathology_reports ADD COLUMN withheld TEXT;
ALTER TABLE pathology_reports ADD COLUMN withheld_reason TEXT;
ALTER TABLE pathology_reports ADD COLUMN withheld_words TEXT;
ALTER TABLE pathology_reports ADD COLUMN withheld_by UUID;
ALTER TABLE pathology_reports ADD COLUMN withheld_at TIMESTAMP(0) WITHOUT TIME ZONE;
ALTER TABLE toxicology_results ADD COLUMN withheld TEXT;
ALTER TABLE toxicology_results ADD COLUMN withheld_reason TEXT;
ALTER TABLE toxicology_results ADD COLUMN withheld_words TEXT;
ALTER TABLE toxicology_results ADD COLUMN withheld_by UUID;
ALTER TABLE toxicology_results ADD COLUMN withheld_at TIMESTAMP(0) WITHOUT TIME ZONE;
GRANT UPDATE (awaits_collection, cancel_reason, cancel_words, canceled_at, canceled_by, canceled_status, is_confidential, status, withheld, withheld_at) ON order_tests TO as_client;
GRANT UPDATE (awaits_collection, cancel_reason, cancel_words, canceled_at, canceled_by, canceled_status, is_confidential, status, withheld, withheld_at) ON order_tests TO as_staff;
GRANT UPDATE (awaits_collection, cancel_reason, cancel_words, canceled_at, canceled_by, canceled_status, is_confidential, status, withheld, withheld_at) ON order_tests TO as_worker;
DROP POLICY as_client_select ON cultures;
DROP POLICY as_client_update ON cultures;
DROP POLICY as_patient_select ON cultures;
DROP POLICY as_physician_select ON cultures;
CREATE POLICY as_client_select ON cultures FOR SELECT TO as_client USING (((released_at IS NOT NULL AND withheld IS NULL) OR (SELECT current_setting('app.act', true)) = 'enter-results') AND EXISTS (SELECT 1 FROM orders p WHERE p.id = cultures.order_id));
CREATE POLICY as_client_update ON cultures FOR UPDATE TO as_client USING (((released_at IS NOT NULL AND withheld IS NULL) OR (SELECT current_setting('app.act', true)) = 'enter-results') AND EXISTS (SELECT 1 FROM orders p WHERE p.id = cultures.order_id)) WITH CHECK ((SELECT current_setting('app.act', true)) = 'enter-results' AND EXISTS (SELECT 1 FROM orders p WHERE p.id = cultures.order_id));
CREATE POLICY as_patient_select ON cultures FOR SELECT TO as_patient USING ((released_at IS NOT NULL AND withheld IS NULL) AND EXISTS (SELECT 1 FROM orders p WHERE p.id = cultures.order_id));
CREATE POLICY as_physician_select ON cultures FOR SELECT TO as_physician USING ((released_at IS NOT NULL AND withheld IS NULL) AND EXISTS (SELECT 1 FROM orders p WHERE p.id = cultures.order_id));
GRANT UPDATE (is_current, released_at, released_by, released_by_name, stage, withheld, withheld_at, withheld_by, withheld_reason, withheld_words) ON cultures TO as_client;
GRANT UPDATE (is_current, released_at, released_by, released_by_name, stage, withheld, withheld_at, withheld_by, withheld_reason, withheld_words) ON cultures TO as_staff;
GRANT UPDATE (is_current, released_at, released_by, released_by_name, stage, withheld, withheld_at, withheld_by, withheld_reason, withheld_words) ON cultures TO as_worker;
DROP POLICY as_client_select ON pathology_reports;
DROP POLICY as_client_update ON pathology_reports;
DROP POLICY as_patient_select ON pathology_reports;
DROP POLICY as_physician_select ON pathology_reports;
CREATE POLICY as_client_select ON pathology_reports FOR SELECT TO as_client USING (((released_at IS NOT NULL AND withheld IS NULL) OR (SELECT current_setting('app.act', true)) = 'enter-results') AND EXISTS (SELECT 1 FROM orders p WHERE p.id = pathology_reports.order_id));
CREATE POLICY as_client_update ON pathology_reports FOR UPDATE TO as_client USING (((released_at IS NOT NULL AND withheld IS NULL) OR (SELECT current_setting('app.act', true)) = 'enter-results') AND EXISTS (SELECT 1 FROM orders p WHERE p.id = pathology_reports.order_id)) WITH CHECK ((SELECT current_setting('app.act', true)) = 'enter-results' AND EXISTS (SELECT 1 FROM orders p WHERE p.id = pathology_reports.order_id));
CREATE POLICY as_patient_select ON pathology_reports FOR SELECT TO as_patient USING ((released_at IS NOT NULL AND withheld IS NULL) AND EXISTS (SELECT 1 FROM orders p WHERE p.id = pathology_reports.order_id));
CREATE POLICY as_physician_select ON pathology_reports FOR SELECT TO as_physician USING ((released_at IS NOT NULL AND withheld IS NULL) AND EXISTS (SELECT 1 FROM orders p WHERE p.id = pathology_reports.order_id));
GRANT UPDATE (content, entered_at, entered_by, explanation, flag, is_current, kind, reason, reason_code, released_at, released_by, released_by_name, signed_out_by, withheld, withheld_at, withheld_by, withheld_reason, withheld_words) ON pathology_reports TO as_client;
GRANT UPDATE (content, entered_at, entered_by, explanation, flag, is_current, kind, reason, reason_code, released_at, released_by, released_by_name, signed_out_by, withheld, withheld_at, withheld_by, withheld_reason, withheld_words) ON pathology_reports TO as_staff;
GRANT UPDATE (content, entered_at, entered_by, explanation, flag, is_current, kind, reason, reason_code, released_at, released_by, released_by_name, signed_out_by, withheld, withheld_at, withheld_by, withheld_reason, withheld_words) ON pathology_reports TO as_worker;
DROP POLICY as_client_select ON toxicology_results;
DROP POLICY as_client_update ON toxicology_results;
DROP POLICY as_patient_select ON toxicology_results;
DROP POLICY as_physician_select ON toxicology_results;
CREATE POLICY as_client_select ON toxicology_results FOR SELECT TO as_client USING (((released_at IS NOT NULL AND withheld IS NULL) OR (SELECT current_setting('app.act', true)) = 'enter-results') AND EXISTS (SELECT 1 FROM orders p WHERE p.id = toxicology_results.order_id));
CREATE POLICY as_client_update ON toxicology_results FOR UPDATE TO as_client USING (((released_at IS NOT NULL AND withheld IS NULL) OR (SELECT current_setting('app.act', true)) = 'enter-results') AND EXISTS (SELECT 1 FROM orders p WHERE p.id = toxicology_results.order_id)) WITH CHECK ((SELECT current_setting('app.act', true)) = 'enter-results' AND EXISTS (SELECT 1 FROM orders p WHERE p.id = toxicology_results.order_id));
CREATE POLICY as_patient_select ON toxicology_results FOR SELECT TO as_patient USING ((released_at IS NOT NULL AND withheld IS NULL) AND EXISTS (SELECT 1 FROM orders p WHERE p.id = toxicology_results.order_id));
CREATE POLICY as_physician_select ON toxicology_results FOR SELECT TO as_physician USING ((released_at IS NOT NULL AND withheld IS NULL) AND EXISTS (SELECT 1 FROM orders p WHERE p.id = toxicology_results.order_id));
GRANT UPDATE (comment, cut_off, detection_window, entered_at, entered_by, explanation, is_current, is_detected, reason, reason_code, released_at, released_by, released_by_name, unit, value, withheld, withheld_at, withheld_by, withheld_reason, withheld_words) ON toxicology_results TO as_client;
GRANT UPDATE (comment, cut_off, detection_window, entered_at, entered_by, explanation, is_current, is_detected, reason, reason_code, released_at, released_by, released_by_name, unit, value, withheld, withheld_at, withheld_by, withheld_reason, withheld_words) ON toxicology_results TO as_staff;
GRANT UPDATE (comment, cut_off, detection_window, entered_at, entered_by, explanation, is_current, is_detected, reason, reason_code, released_at, released_by, released_by_name, unit, value, withheld, withheld_at, withheld_by, withheld_reason, withheld_words) ON toxicology_results TO as_worker;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
