"""Keep the time of a failed e-mail."""

from alembic import op

revision: str = "0071"
down_revision: str | None = "0070"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE password_recoveries ADD COLUMN failed_at TIMESTAMP WITH TIME ZONE;
ALTER TABLE support_requests ADD COLUMN failed_at TIMESTAMP WITH TIME ZONE;
GRANT UPDATE (failed_at) ON password_recoveries TO as_gatekeeper;
GRANT UPDATE (failed_at) ON support_requests TO as_worker;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
