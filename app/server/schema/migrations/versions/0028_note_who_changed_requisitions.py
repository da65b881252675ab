"""Note who changed requisitions."""

from alembic import op

revision: str = "0028"
down_revision: str | None = "0027"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
ALTER TABLE requisitions ADD COLUMN changed_by UUID;
-- Who made the current version of a requisition
-- A save, a signature, or a receipt made it. A person who saves an older version reads the name.
CREATE OR REPLACE FUNCTION note_changer() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public AS $$
BEGIN
    NEW.changed_by := nullif(current_setting('app.user', true), '')::uuid;
    RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER requisition_changed_by BEFORE UPDATE ON requisitions
    FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION note_changer();
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
