"""Confirm repeat and dilute drug tests."""

from alembic import op

revision: str = "0088"
down_revision: str | None = "0087"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE toxicology_results ADD COLUMN measured TEXT;
ALTER TABLE toxicology_results ADD COLUMN dilution NUMERIC;
ALTER TABLE toxicology_results ADD COLUMN first_value TEXT;
ALTER TABLE toxicology_results ADD COLUMN is_confirmed BOOLEAN DEFAULT false NOT NULL;
GRANT UPDATE (dilution, first_value, is_confirmed, measured) ON toxicology_results TO as_client;
GRANT UPDATE (dilution, first_value, is_confirmed, measured) ON toxicology_results TO as_staff;
GRANT UPDATE (dilution, first_value, is_confirmed, measured) ON toxicology_results TO as_worker;
CREATE OR REPLACE TRIGGER lock_released BEFORE UPDATE ON toxicology_results FOR EACH ROW WHEN (OLD.released_at IS NOT NULL AND ROW(OLD.id, OLD.order_id, OLD.order_test_id, OLD.revision, OLD.value, OLD.is_detected, OLD.method, OLD.unit, OLD.cut_off, OLD.low, OLD.high, OLD.detection_window, OLD.measured, OLD.dilution, OLD.first_value, OLD.is_confirmed, OLD.comment, OLD.reason_code, OLD.reason, OLD.explanation, OLD.entered_by, OLD.entered_at, OLD.released_by, OLD.released_by_name, OLD.released_at) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.order_test_id, NEW.revision, NEW.value, NEW.is_detected, NEW.method, NEW.unit, NEW.cut_off, NEW.low, NEW.high, NEW.detection_window, NEW.measured, NEW.dilution, NEW.first_value, NEW.is_confirmed, NEW.comment, NEW.reason_code, NEW.reason, NEW.explanation, NEW.entered_by, NEW.entered_at, NEW.released_by, NEW.released_by_name, NEW.released_at)) EXECUTE FUNCTION reject_change();
CREATE OR REPLACE TRIGGER lock_entry BEFORE UPDATE ON toxicology_results FOR EACH ROW WHEN (OLD.released_at IS NULL AND NEW.entered_by IS DISTINCT FROM nullif(current_setting('app.user', true), '')::uuid AND ROW(OLD.id, OLD.order_id, OLD.order_test_id, OLD.revision, OLD.value, OLD.is_detected, OLD.method, OLD.unit, OLD.cut_off, OLD.low, OLD.high, OLD.detection_window, OLD.measured, OLD.dilution, OLD.first_value, OLD.is_confirmed, OLD.comment, OLD.reason_code, OLD.reason, OLD.explanation, OLD.entered_by, OLD.entered_at) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.order_test_id, NEW.revision, NEW.value, NEW.is_detected, NEW.method, NEW.unit, NEW.cut_off, NEW.low, NEW.high, NEW.detection_window, NEW.measured, NEW.dilution, NEW.first_value, NEW.is_confirmed, NEW.comment, NEW.reason_code, NEW.reason, NEW.explanation, NEW.entered_by, NEW.entered_at)) EXECUTE FUNCTION reject_change();
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
