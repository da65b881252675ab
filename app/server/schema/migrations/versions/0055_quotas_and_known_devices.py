"""Quotas and known devices."""

from alembic import op

revision: str = "0055"
down_revision: str | None = "0054"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
CREATE TABLE quota_counts (
    quota TEXT NOT NULL,
    subject BYTEA NOT NULL,
    free_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_quota_counts PRIMARY KEY (quota, subject)
);
CREATE INDEX ix_quota_counts_free_at ON quota_counts (free_at);
CREATE TABLE known_devices (
    token_hash BYTEA NOT NULL,
    user_id UUID NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_known_devices PRIMARY KEY (token_hash),
    CONSTRAINT fk_known_devices_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_known_devices_user_id ON known_devices (user_id);
-- Quotas
-- Each subject (a person or an address) may make a burst of calls, and then one after every so many
-- seconds. A call that one of its subjects may not make counts for none. The function returns the
-- seconds to wait, 0 if the call is allowed.
CREATE OR REPLACE FUNCTION use_quota(
    used_quota text, subjects bytea[], bursts float8[], seconds float8[]
) RETURNS float8 LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    wait float8;
    called_at timestamptz;
BEGIN
    INSERT INTO quota_counts (quota, subject, free_at)
    SELECT used_quota, s, clock_timestamp() FROM unnest(subjects) s ORDER BY s
    ON CONFLICT DO NOTHING;
    PERFORM 1 FROM quota_counts c WHERE c.quota = used_quota AND c.subject = ANY(subjects)
    ORDER BY c.subject FOR UPDATE;
    called_at := clock_timestamp();
    SELECT max(extract(epoch FROM c.free_at - called_at) - (l.burst - 1) * l.second) INTO wait
    FROM quota_counts c JOIN unnest(subjects, bursts, seconds) l (subject, burst, second)
        ON l.subject = c.subject
    WHERE c.quota = used_quota;
    IF wait > 0 THEN
        RETURN wait;
    END IF;
    UPDATE quota_counts c
    SET free_at = greatest(c.free_at, called_at) + l.second * interval '1 second'
    FROM unnest(subjects, seconds) l (subject, second)
    WHERE c.quota = used_quota AND c.subject = l.subject;
    RETURN 0;
END
$$;
REVOKE ALL ON FUNCTION use_quota(text, bytea[], float8[], float8[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION use_quota(text, bytea[], float8[], float8[])
    TO as_staff, as_client, as_physician, as_patient, as_anonymous, as_gatekeeper;
CREATE OR REPLACE FUNCTION return_quota(used_quota text, subjects bytea[], seconds float8[])
RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE quota_counts c SET free_at = c.free_at - l.second * interval '1 second'
    FROM unnest(subjects, seconds) l (subject, second)
    WHERE c.quota = used_quota AND c.subject = l.subject;
    SELECT true
$$;
REVOKE ALL ON FUNCTION return_quota(text, bytea[], float8[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION return_quota(text, bytea[], float8[]) TO as_gatekeeper;
ALTER TABLE quota_counts ENABLE ROW LEVEL SECURITY;
GRANT SELECT, DELETE ON quota_counts TO as_worker;
CREATE POLICY as_worker_select ON quota_counts FOR SELECT TO as_worker USING (true);
CREATE POLICY as_worker_delete ON quota_counts FOR DELETE TO as_worker USING (true);
ALTER TABLE known_devices ENABLE ROW LEVEL SECURITY;
GRANT SELECT, INSERT, UPDATE (expires_at), DELETE ON known_devices TO as_gatekeeper;
CREATE POLICY as_gatekeeper_select ON known_devices FOR SELECT TO as_gatekeeper USING (true);
CREATE POLICY as_gatekeeper_insert ON known_devices FOR INSERT TO as_gatekeeper WITH CHECK (true);
CREATE POLICY as_gatekeeper_update ON known_devices FOR UPDATE TO as_gatekeeper USING (true) WITH CHECK (true);
CREATE POLICY as_gatekeeper_delete ON known_devices FOR DELETE TO as_gatekeeper USING (true);
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
