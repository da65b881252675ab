-- Grants and row-level security as derived from the declaration on the table.

GRANT SELECT, DELETE ON spent_sign_ins TO as_worker;
CREATE POLICY as_worker_select ON spent_sign_ins FOR SELECT TO as_worker USING (true);
CREATE POLICY as_worker_delete ON spent_sign_ins FOR DELETE TO as_worker USING (true);
