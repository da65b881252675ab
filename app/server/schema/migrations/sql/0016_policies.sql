-- Grants and row-level security as derived from the declarations on the tables.

ALTER TABLE patient_names ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON patient_names TO as_staff;
CREATE POLICY as_staff_select ON patient_names FOR SELECT TO as_staff USING (true);
GRANT SELECT ON patient_names TO as_worker;
CREATE POLICY as_worker_select ON patient_names FOR SELECT TO as_worker USING (true);
