"""Store the unit of limits."""

from alembic import op

revision: str = "0086"
down_revision: str | None = "0085"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE autoverification_trials ADD COLUMN comparable INTEGER DEFAULT 0 NOT NULL;
ALTER TABLE reference_ranges ADD COLUMN unit TEXT;
ALTER TABLE reflex_rules ADD COLUMN unit TEXT;
ALTER TABLE results ADD COLUMN comment_for TEXT;
ALTER TABLE toxicology_tests ADD COLUMN unit TEXT;
GRANT UPDATE (unit) ON reference_ranges TO as_staff;
GRANT UPDATE (unit) ON reference_ranges TO as_worker;
GRANT UPDATE (unit) ON reflex_rules TO as_staff;
GRANT UPDATE (unit) ON reflex_rules TO as_worker;
GRANT UPDATE (unit) ON toxicology_tests TO as_staff;
GRANT UPDATE (unit) ON toxicology_tests TO as_worker;
GRANT UPDATE (comment_for) ON results TO as_client;
GRANT UPDATE (comment_for) ON results TO as_staff;
GRANT UPDATE (comment_for) ON results TO as_worker;
CREATE OR REPLACE TRIGGER lock_released BEFORE UPDATE ON results FOR EACH ROW WHEN (OLD.released_at IS NOT NULL AND ROW(OLD.id, OLD.order_id, OLD.order_test_id, OLD.revision, OLD.value, OLD.sign, OLD.number, OLD.measured, OLD.dilution, OLD.first_value, OLD.formula, OLD.comment, OLD.comment_for, OLD.flag, OLD.unit, OLD.method, OLD.performing_lab, OLD.reference_range, OLD.range_comment, OLD.low, OLD.high, OLD.critical_low, OLD.critical_high, OLD.previous_value, OLD.previous_at, OLD.is_delta_exceeded, OLD.is_confirmed, OLD.reason, OLD.reason_words, OLD.entered_by, OLD.entered_at, OLD.verified_by, OLD.verified_at, OLD.released_by, OLD.autoverified_version, OLD.waits_for, OLD.released_at) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.order_test_id, NEW.revision, NEW.value, NEW.sign, NEW.number, NEW.measured, NEW.dilution, NEW.first_value, NEW.formula, NEW.comment, NEW.comment_for, NEW.flag, NEW.unit, NEW.method, NEW.performing_lab, NEW.reference_range, NEW.range_comment, NEW.low, NEW.high, NEW.critical_low, NEW.critical_high, NEW.previous_value, NEW.previous_at, NEW.is_delta_exceeded, NEW.is_confirmed, NEW.reason, NEW.reason_words, NEW.entered_by, NEW.entered_at, NEW.verified_by, NEW.verified_at, NEW.released_by, NEW.autoverified_version, NEW.waits_for, NEW.released_at)) EXECUTE FUNCTION reject_change();
CREATE OR REPLACE TRIGGER lock_entry BEFORE UPDATE ON results FOR EACH ROW WHEN (OLD.released_at IS NULL AND NEW.entered_by IS DISTINCT FROM nullif(current_setting('app.user', true), '')::uuid AND ROW(OLD.id, OLD.order_id, OLD.order_test_id, OLD.revision, OLD.value, OLD.sign, OLD.number, OLD.measured, OLD.dilution, OLD.first_value, OLD.formula, OLD.comment, OLD.comment_for, OLD.flag, OLD.unit, OLD.method, OLD.performing_lab, OLD.reference_range, OLD.range_comment, OLD.low, OLD.high, OLD.critical_low, OLD.critical_high, OLD.previous_value, OLD.previous_at, OLD.is_delta_exceeded, OLD.is_confirmed, OLD.reason, OLD.reason_words, OLD.entered_by, OLD.entered_at) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.order_test_id, NEW.revision, NEW.value, NEW.sign, NEW.number, NEW.measured, NEW.dilution, NEW.first_value, NEW.formula, NEW.comment, NEW.comment_for, NEW.flag, NEW.unit, NEW.method, NEW.performing_lab, NEW.reference_range, NEW.range_comment, NEW.low, NEW.high, NEW.critical_low, NEW.critical_high, NEW.previous_value, NEW.previous_at, NEW.is_delta_exceeded, NEW.is_confirmed, NEW.reason, NEW.reason_words, NEW.entered_by, NEW.entered_at)) EXECUTE FUNCTION reject_change();
-- What limits were meant for is not known; they are for what the test has now.
UPDATE reference_ranges g SET unit = t.unit FROM lab_tests t
WHERE t.id = g.test_id AND coalesce(g.low, g.high, g.critical_low, g.critical_high) IS NOT NULL;
UPDATE reflex_rules x SET unit = t.unit FROM lab_tests t
WHERE t.id = x.test_id AND coalesce(x.low, x.high) IS NOT NULL;
UPDATE toxicology_tests m SET unit = t.unit FROM lab_tests t
WHERE t.id = m.test_id AND coalesce(m.cut_off, m.low, m.high) IS NOT NULL;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
