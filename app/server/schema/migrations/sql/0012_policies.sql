-- Grants and row-level security as derived from the declaration on the table.

GRANT SELECT, DELETE ON requisition_drafts TO as_worker;
CREATE POLICY as_worker_select ON requisition_drafts FOR SELECT TO as_worker USING (true);
CREATE POLICY as_worker_delete ON requisition_drafts FOR DELETE TO as_worker USING (true);
