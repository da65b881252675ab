"""Move results to open rows and renumber contacts."""

from alembic import op

revision: str = "0080"
down_revision: str | None = "0079"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
-- The row that a shared result belongs to
-- Panels with the same test share its result, which belongs to one of their rows. While that row is
-- canceled, the result belongs to the first open one, so that nobody who reads it by its row misses
-- it. The function runs with its owner's rights, because the row of a result is otherwise fixed.
CREATE OR REPLACE FUNCTION move_results(wanted_order bigint, wanted_test bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    canceled bigint;
    open bigint;
BEGIN
    SELECT t.id INTO canceled FROM order_tests t
    WHERE t.order_id = wanted_order AND t.test_id = wanted_test AND t.status = 32
        AND (EXISTS (SELECT 1 FROM results r WHERE r.order_test_id = t.id)
            OR EXISTS (SELECT 1 FROM toxicology_results r WHERE r.order_test_id = t.id))
    ORDER BY t.position LIMIT 1;
    SELECT t.id INTO open FROM order_tests t
    WHERE t.order_id = wanted_order AND t.test_id = wanted_test AND t.status <> 32
    ORDER BY t.position LIMIT 1;
    -- Rows whose toxicology results were entered separately keep their own.
    IF canceled IS NULL OR open IS NULL OR EXISTS (
        SELECT 1 FROM order_tests t JOIN toxicology_results r ON r.order_test_id = t.id
        WHERE t.order_id = wanted_order AND t.test_id = wanted_test AND t.status <> 32
    ) THEN
        RETURN;
    END IF;
    UPDATE results SET order_test_id = open WHERE order_test_id = canceled;
    UPDATE toxicology_results SET order_test_id = open WHERE order_test_id = canceled;
    UPDATE critical_items SET order_test_id = open WHERE order_test_id = canceled;
    UPDATE order_additions SET trigger_test_id = open WHERE trigger_test_id = canceled;
END
$$;
REVOKE ALL ON FUNCTION move_results(bigint, bigint) FROM PUBLIC;
CREATE OR REPLACE FUNCTION follow_cancellation() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM move_results(NEW.order_id, NEW.test_id);
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION follow_cancellation() FROM PUBLIC;
CREATE OR REPLACE TRIGGER cancellation_followed AFTER UPDATE ON order_tests FOR EACH ROW
    WHEN ((OLD.status = 32) <> (NEW.status = 32)) EXECUTE FUNCTION follow_cancellation();
-- A rule of the lab may add a panel with a test that is canceled elsewhere in the order.
CREATE OR REPLACE FUNCTION follow_additions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM move_results(t.order_id, t.test_id) FROM made m
    JOIN order_tests t ON t.order_id = m.order_id AND t.test_id = m.test_id AND t.status = 32;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION follow_additions() FROM PUBLIC;
CREATE OR REPLACE TRIGGER additions_followed AFTER INSERT ON order_tests
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION follow_additions();
-- Results whose row was canceled while another row of the same test stayed open.
SELECT move_results(c.order_id, c.test_id) FROM (
    SELECT DISTINCT t.order_id, t.test_id FROM order_tests t
    WHERE t.status = 32 AND (EXISTS (SELECT 1 FROM results r WHERE r.order_test_id = t.id)
        OR EXISTS (SELECT 1 FROM toxicology_results r WHERE r.order_test_id = t.id))
) c;
-- Positions begin with 1, because a notice starts at level 0. A contact at position 0 was never
-- alerted. The unique index allows no step by one.
UPDATE critical_contacts SET position = -1 - position
WHERE client_id IN (SELECT c.client_id FROM critical_contacts c WHERE c.position = 0);
UPDATE critical_contacts SET position = -position WHERE position < 0;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
