"""Store the unit and method of autoverification."""

from alembic import op

revision: str = "0081"
down_revision: str | None = "0080"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE autoverification_rules ADD COLUMN unit TEXT;
ALTER TABLE autoverification_rules ADD COLUMN method TEXT;
ALTER TABLE autoverification_trials ADD COLUMN unit TEXT;
ALTER TABLE autoverification_trials ADD COLUMN method TEXT;
GRANT UPDATE (method, unit) ON autoverification_rules TO as_staff;
GRANT UPDATE (method, unit) ON autoverification_rules TO as_worker;
-- What the limits of a rule were meant for is not known; they are for what the test has now. Earlier
-- trials stay without a unit, so that a rule that is off is tried out once more.
UPDATE autoverification_rules v SET unit = t.unit, method = t.method
FROM lab_tests t WHERE t.id = v.test_id;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
