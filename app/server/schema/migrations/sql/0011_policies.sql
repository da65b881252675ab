-- Grants and row-level security as derived from the declaration on the table.

GRANT SELECT, DELETE ON idempotency_keys TO as_worker;
CREATE POLICY as_worker_select ON idempotency_keys FOR SELECT TO as_worker USING (true);
CREATE POLICY as_worker_delete ON idempotency_keys FOR DELETE TO as_worker USING (true);
