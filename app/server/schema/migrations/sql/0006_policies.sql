-- Grants and row-level security as derived from the declarations on the tables.

ALTER TABLE changes ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON changes TO as_client;
CREATE POLICY as_client_select ON changes FOR SELECT TO as_client USING (client_id = ANY((SELECT nullif(current_setting('app.ids', true), '')::bigint[])::bigint[]));
GRANT SELECT ON changes TO as_patient;
CREATE POLICY as_patient_select ON changes FOR SELECT TO as_patient USING (patient_id = ANY((SELECT nullif(current_setting('app.ids', true), '')::bigint[])::bigint[]));
GRANT SELECT ON changes TO as_physician;
CREATE POLICY as_physician_select ON changes FOR SELECT TO as_physician USING (physician_id = ANY((SELECT nullif(current_setting('app.ids', true), '')::bigint[])::bigint[]));
GRANT SELECT ON changes TO as_staff;
CREATE POLICY as_staff_select ON changes FOR SELECT TO as_staff USING (true);
GRANT SELECT, DELETE ON changes TO as_worker;
CREATE POLICY as_worker_select ON changes FOR SELECT TO as_worker USING (true);
CREATE POLICY as_worker_delete ON changes FOR DELETE TO as_worker USING (true);
