"""Let clients enter results."""

from alembic import op

revision: str = "0018"
down_revision: str | None = "0017"
# The revision whose expansion this one brings to its end; see docs/adr/0022-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
CREATE POLICY as_client_update ON orders FOR UPDATE TO as_client USING (client_id = ANY((SELECT nullif(current_setting('app.ids', true), '')::bigint[])::bigint[])) WITH CHECK ((client_id = ANY((SELECT nullif(current_setting('app.ids', true), '')::bigint[])::bigint[])) AND (SELECT current_setting('app.act', true)) = 'enter-results');
GRANT UPDATE ON orders TO as_client;
CREATE POLICY as_client_update ON order_tests FOR UPDATE TO as_client USING (EXISTS (SELECT 1 FROM orders p WHERE p.id = order_tests.order_id)) WITH CHECK ((SELECT current_setting('app.act', true)) = 'enter-results' AND EXISTS (SELECT 1 FROM orders p WHERE p.id = order_tests.order_id));
GRANT UPDATE ON order_tests TO as_client;
DROP POLICY as_client_select ON results;
CREATE POLICY as_client_insert ON results FOR INSERT TO as_client WITH CHECK ((SELECT current_setting('app.act', true)) = 'enter-results' AND EXISTS (SELECT 1 FROM orders p WHERE p.id = results.order_id));
CREATE POLICY as_client_select ON results FOR SELECT TO as_client USING ((released_at IS NOT NULL OR (SELECT current_setting('app.act', true)) = 'enter-results') AND EXISTS (SELECT 1 FROM orders p WHERE p.id = results.order_id));
CREATE POLICY as_client_update ON results FOR UPDATE TO as_client USING ((released_at IS NOT NULL OR (SELECT current_setting('app.act', true)) = 'enter-results') AND EXISTS (SELECT 1 FROM orders p WHERE p.id = results.order_id)) WITH CHECK ((SELECT current_setting('app.act', true)) = 'enter-results' AND EXISTS (SELECT 1 FROM orders p WHERE p.id = results.order_id));
GRANT INSERT, UPDATE ON results TO as_client;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
