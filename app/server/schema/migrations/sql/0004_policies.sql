-- The journal's entries that belong to a record's history are seen with the record.
GRANT SELECT ON audit_events TO as_client;
CREATE POLICY as_client_select ON audit_events FOR SELECT TO as_client USING ((kind = 'patient' AND action = 'change' AND EXISTS (SELECT 1 FROM patients p WHERE p.id = audit_events.record_ids[1])) OR (kind = 'requisition' AND action = 'cancel' AND EXISTS (SELECT 1 FROM requisitions p WHERE p.id = audit_events.record_ids[1])));
GRANT SELECT ON audit_events TO as_patient;
CREATE POLICY as_patient_select ON audit_events FOR SELECT TO as_patient USING ((kind = 'patient' AND action = 'change' AND EXISTS (SELECT 1 FROM patients p WHERE p.id = audit_events.record_ids[1])) OR (kind = 'requisition' AND action = 'cancel' AND EXISTS (SELECT 1 FROM requisitions p WHERE p.id = audit_events.record_ids[1])));
GRANT SELECT ON audit_events TO as_physician;
CREATE POLICY as_physician_select ON audit_events FOR SELECT TO as_physician USING ((kind = 'patient' AND action = 'change' AND EXISTS (SELECT 1 FROM patients p WHERE p.id = audit_events.record_ids[1])) OR (kind = 'requisition' AND action = 'cancel' AND EXISTS (SELECT 1 FROM requisitions p WHERE p.id = audit_events.record_ids[1])));
