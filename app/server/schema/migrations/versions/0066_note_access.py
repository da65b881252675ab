"""Note access."""

from alembic import op

revision: str = "0066"
down_revision: str | None = "0065"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
-- Changes of access
-- Every process that answers requests knows for a few seconds who somebody is. It listens here, and
-- forgets a user whose account, role, session, or second factor changed, or everybody if the message
-- is empty.
CREATE OR REPLACE FUNCTION note_access() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_notify('access', coalesce(to_jsonb(coalesce(NEW, OLD)) ->> TG_ARGV[0], ''));
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION note_access() FROM PUBLIC;
CREATE OR REPLACE TRIGGER user_access AFTER UPDATE ON users FOR EACH ROW WHEN (
    (OLD.active, OLD.email, OLD.first_name, OLD.last_name)
    IS DISTINCT FROM (NEW.active, NEW.email, NEW.first_name, NEW.last_name)
    OR (OLD.client_ids, OLD.physician_ids, OLD.patient_ids)
    IS DISTINCT FROM (NEW.client_ids, NEW.physician_ids, NEW.patient_ids)
) EXECUTE FUNCTION note_access('id');
CREATE OR REPLACE TRIGGER registration_access AFTER INSERT OR UPDATE OR DELETE ON registrations
    FOR EACH ROW EXECUTE FUNCTION note_access('user_id');
CREATE OR REPLACE TRIGGER session_access AFTER UPDATE ON user_sessions
    FOR EACH ROW WHEN (OLD.ended_at IS DISTINCT FROM NEW.ended_at)
    EXECUTE FUNCTION note_access('user_id');
CREATE OR REPLACE TRIGGER session_removed AFTER DELETE ON user_sessions
    FOR EACH ROW WHEN (OLD.ended_at IS NULL) EXECUTE FUNCTION note_access('user_id');
CREATE OR REPLACE TRIGGER factor_access AFTER INSERT OR UPDATE OR DELETE ON second_factors
    FOR EACH ROW EXECUTE FUNCTION note_access('user_id');
CREATE OR REPLACE TRIGGER sign_in_setting_access AFTER INSERT OR UPDATE ON lab_settings
    FOR EACH ROW WHEN (NEW.name = 'sign-in') EXECUTE FUNCTION note_access('nobody');
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
