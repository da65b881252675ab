"""Keep earlier results readable."""

from alembic import op

revision: str = "0036"
down_revision: str | None = "0035"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

# Cultures and pathology were entered as text among the clinical results. Orders with such results
# keep them there; their panels follow, because members are shown below them. In small
# transactions, since a lab works meanwhile.
_FILL = r"""
DO $$
DECLARE
    first bigint := 0;
    last bigint;
BEGIN
    LOOP
        SELECT max(id) INTO last
        FROM (SELECT id FROM order_tests WHERE id >= first ORDER BY id LIMIT 5000) batch;
        EXIT WHEN last IS NULL;
        UPDATE order_tests t SET kind = 'clinical'
        WHERE t.id BETWEEN first AND last AND t.kind IN ('microbiology', 'toxicology', 'pathology') AND (
            EXISTS (SELECT 1 FROM results r WHERE r.order_test_id = t.id)
            OR EXISTS (
                SELECT 1 FROM order_tests m JOIN results r ON r.order_test_id = m.id
                WHERE m.parent_id = t.id));
        COMMIT;
        first := last + 1;
    END LOOP;
END
$$
"""


def upgrade() -> None:
    """Apply."""
    with op.get_context().autocommit_block():
        op.execute(_FILL)
