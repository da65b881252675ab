"""Note who canceled requisitions."""

from alembic import op

revision: str = "0029"
down_revision: str | None = "0028"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE requisitions ADD COLUMN IF NOT EXISTS canceled_at TIMESTAMP WITH TIME ZONE;
ALTER TABLE requisitions ADD COLUMN IF NOT EXISTS canceled_by_name TEXT;
"""
# Earlier cancellations are known from the audit. The statement locks canceled requisitions only,
# which nobody changes.
_FILL = r"""
UPDATE requisitions r SET canceled_at = e.at, canceled_by_name = name_of_user(e.user_id)
FROM audit_events e
WHERE r.status = 2 AND r.canceled_at IS NULL
    AND e.kind = 'requisition' AND e.action = 'cancel' AND e.record_ids[1] = r.id
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
    with op.get_context().autocommit_block():
        op.execute(_FILL)
