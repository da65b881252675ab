"""Keep what toxicology results were judged by."""

from alembic import op

revision: str = "0087"
down_revision: str | None = "0086"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE toxicology_results ADD COLUMN method TEXT;
ALTER TABLE toxicology_results ADD COLUMN low NUMERIC;
ALTER TABLE toxicology_results ADD COLUMN high NUMERIC;
GRANT UPDATE (high, low, method) ON toxicology_results TO as_client;
GRANT UPDATE (high, low, method) ON toxicology_results TO as_staff;
GRANT UPDATE (high, low, method) ON toxicology_results TO as_worker;
-- What judged them is not known; it is what the test has now. The earlier locks, which are replaced
-- below, allow this. A number in another unit than the limits was not judged, and gets no method.
WITH judged AS (
    SELECT r.id, m.method, m.low, m.high,
        coalesce(m.cut_off, m.low, m.high) IS NULL OR m.unit IS NOT DISTINCT FROM r.unit AS is_own,
        btrim(r.value) ~ '^([<>]=?)?\s*[0-9]+(\.[0-9]+)?$' AS is_number
    FROM toxicology_results r
    JOIN order_tests t ON t.id = r.order_test_id
    JOIN toxicology_tests m ON m.test_id = t.test_id
)
UPDATE toxicology_results r SET
    method = CASE WHEN j.is_own OR NOT j.is_number OR j.method <> 'validity' THEN j.method END,
    low = CASE WHEN j.is_own THEN j.low END,
    high = CASE WHEN j.is_own THEN j.high END
FROM judged j WHERE j.id = r.id;
CREATE OR REPLACE TRIGGER lock_released BEFORE UPDATE ON toxicology_results FOR EACH ROW WHEN (OLD.released_at IS NOT NULL AND ROW(OLD.id, OLD.order_id, OLD.order_test_id, OLD.revision, OLD.value, OLD.is_detected, OLD.method, OLD.unit, OLD.cut_off, OLD.low, OLD.high, OLD.detection_window, OLD.comment, OLD.reason_code, OLD.reason, OLD.explanation, OLD.entered_by, OLD.entered_at, OLD.released_by, OLD.released_by_name, OLD.released_at) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.order_test_id, NEW.revision, NEW.value, NEW.is_detected, NEW.method, NEW.unit, NEW.cut_off, NEW.low, NEW.high, NEW.detection_window, NEW.comment, NEW.reason_code, NEW.reason, NEW.explanation, NEW.entered_by, NEW.entered_at, NEW.released_by, NEW.released_by_name, NEW.released_at)) EXECUTE FUNCTION reject_change();
CREATE OR REPLACE TRIGGER lock_entry BEFORE UPDATE ON toxicology_results FOR EACH ROW WHEN (OLD.released_at IS NULL AND NEW.entered_by IS DISTINCT FROM nullif(current_setting('app.user', true), '')::uuid AND ROW(OLD.id, OLD.order_id, OLD.order_test_id, OLD.revision, OLD.value, OLD.is_detected, OLD.method, OLD.unit, OLD.cut_off, OLD.low, OLD.high, OLD.detection_window, OLD.comment, OLD.reason_code, OLD.reason, OLD.explanation, OLD.entered_by, OLD.entered_at) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.order_test_id, NEW.revision, NEW.value, NEW.is_detected, NEW.method, NEW.unit, NEW.cut_off, NEW.low, NEW.high, NEW.detection_window, NEW.comment, NEW.reason_code, NEW.reason, NEW.explanation, NEW.entered_by, NEW.entered_at)) EXECUTE FUNCTION reject_change();
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
