"""Second lock."""

from alembic import op

revision: str = "0052"
down_revision: str | None = "0051"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
# It revokes the update of columns that no release has ever written.
contracts: str | None = "0016"

_SQL = r"""
-- Locked rows
-- A declared lock (``__locks__`` of the models) raises this for rows that no longer change. Only
-- the tables' owner may change them: revisions, and the functions that run with its rights.
CREATE OR REPLACE FUNCTION reject_change() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog AS $$
BEGIN
    IF current_user LIKE 'as\_%' THEN
        RAISE EXCEPTION 'a row of % no longer changes: %', TG_TABLE_NAME, TG_NAME
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;
-- Who may read a private test
-- People who see a record of its client, or one with the test, see its name there. The function
-- runs with the caller's rights, so the policies say which records those are.
CREATE OR REPLACE FUNCTION sees_private_test(test bigint, owner bigint) RETURNS boolean
LANGUAGE plpgsql STABLE COST 10000 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM clients c WHERE c.id = owner)
        OR EXISTS (SELECT 1 FROM requisitions r WHERE r.client_id = owner)
        OR EXISTS (SELECT 1 FROM requisition_tests t WHERE t.test_id = test);
END
$$;
REVOKE ALL ON FUNCTION sees_private_test(bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sees_private_test(bigint, bigint)
    TO as_client, as_physician, as_patient;
-- Roles and scopes of users
-- Nothing else changes them. A Superuser changes those of others. A Client Admin gives the roles
-- Client Basic and Patient within that admin's clients, and only to people who have no other.
-- Nobody changes what they have themselves. A role keeps only the ids of its kind (P 5).
CREATE OR REPLACE FUNCTION change_access(
    wanted uuid, new_role text, clients bigint[], physicians bigint[], patients bigint[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    actor uuid := nullif(current_setting('app.user', true), '')::uuid;
    actor_role text;
    actor_clients bigint[];
    given_roles constant text[] := ARRAY['Client Basic', 'Patient'];
BEGIN
    SELECT r.roles[1], u.client_ids INTO actor_role, actor_clients
    FROM users u JOIN registrations r ON r.user_id = u.id
    WHERE u.id = actor AND u.active ORDER BY r.id LIMIT 1;
    PERFORM 1 FROM users u WHERE u.id = wanted FOR UPDATE;
    IF actor = wanted OR NOT (
        coalesce(actor_role = 'Superuser', false)
        OR coalesce(actor_role = 'Client Admin' AND new_role = ANY(given_roles), false)
            AND clients <@ actor_clients AND cardinality(physicians) = 0
            AND NOT EXISTS (
                SELECT 1 FROM unnest(patients) p (id) WHERE NOT EXISTS (
                    SELECT 1 FROM patients t WHERE t.id = p.id AND t.client_id = ANY(actor_clients))
            )
            AND NOT EXISTS (
                SELECT 1 FROM registrations r WHERE r.user_id = wanted AND NOT r.roles <@ given_roles
            )
            AND EXISTS (
                SELECT 1 FROM users u WHERE u.id = wanted AND u.client_ids <@ actor_clients
                    AND cardinality(u.physician_ids) = 0 AND NOT EXISTS (
                        SELECT 1 FROM unnest(u.patient_ids) p (id) WHERE NOT EXISTS (
                            SELECT 1 FROM patients t
                            WHERE t.id = p.id AND t.client_id = ANY(actor_clients)))
            )
    ) THEN
        RAISE EXCEPTION 'this actor may not change the access of this user'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    UPDATE registrations SET roles = ARRAY[new_role]
    WHERE user_id = wanted AND application_id = 'portal';
    IF NOT FOUND THEN
        INSERT INTO registrations (user_id, application_id, roles)
        VALUES (wanted, 'portal', ARRAY[new_role]);
    END IF;
    UPDATE users SET version = version + 1,
        client_ids = CASE WHEN new_role IN ('Client Admin', 'Client Basic')
            THEN clients ELSE '{}' END,
        physician_ids = CASE WHEN new_role = 'Physician' THEN physicians ELSE '{}' END,
        patient_ids = CASE WHEN new_role = 'Patient' THEN patients ELSE '{}' END
    WHERE id = wanted;
END
$$;
REVOKE ALL ON FUNCTION change_access(uuid, text, bigint[], bigint[], bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION change_access(uuid, text, bigint[], bigint[], bigint[])
    TO as_staff, as_client;
REVOKE UPDATE ON antibiotics FROM as_staff;
REVOKE UPDATE ON antibiotics FROM as_worker;
GRANT UPDATE (class_name, name, position) ON antibiotics TO as_staff;
GRANT UPDATE (class_name, name, position) ON antibiotics TO as_worker;
DROP POLICY as_anonymous_insert ON audit_events;
DROP POLICY as_client_insert ON audit_events;
DROP POLICY as_gatekeeper_insert ON audit_events;
DROP POLICY as_patient_insert ON audit_events;
DROP POLICY as_physician_insert ON audit_events;
DROP POLICY as_staff_insert ON audit_events;
DROP POLICY as_worker_insert ON audit_events;
CREATE POLICY as_anonymous_insert ON audit_events FOR INSERT TO as_anonymous WITH CHECK (user_id IS NOT DISTINCT FROM (SELECT nullif(current_setting('app.user', true), '')::uuid));
CREATE POLICY as_client_insert ON audit_events FOR INSERT TO as_client WITH CHECK (user_id IS NOT DISTINCT FROM (SELECT nullif(current_setting('app.user', true), '')::uuid));
CREATE POLICY as_gatekeeper_insert ON audit_events FOR INSERT TO as_gatekeeper WITH CHECK (kind = 'user');
CREATE POLICY as_patient_insert ON audit_events FOR INSERT TO as_patient WITH CHECK (user_id IS NOT DISTINCT FROM (SELECT nullif(current_setting('app.user', true), '')::uuid));
CREATE POLICY as_physician_insert ON audit_events FOR INSERT TO as_physician WITH CHECK (user_id IS NOT DISTINCT FROM (SELECT nullif(current_setting('app.user', true), '')::uuid));
CREATE POLICY as_staff_insert ON audit_events FOR INSERT TO as_staff WITH CHECK (user_id IS NOT DISTINCT FROM (SELECT nullif(current_setting('app.user', true), '')::uuid));
CREATE POLICY as_worker_insert ON audit_events FOR INSERT TO as_worker WITH CHECK (user_id IS NOT DISTINCT FROM (SELECT nullif(current_setting('app.user', true), '')::uuid));
REVOKE INSERT ON audit_events FROM as_anonymous;
REVOKE INSERT ON audit_events FROM as_client;
REVOKE INSERT ON audit_events FROM as_gatekeeper;
REVOKE INSERT ON audit_events FROM as_patient;
REVOKE INSERT ON audit_events FROM as_physician;
REVOKE INSERT ON audit_events FROM as_staff;
REVOKE INSERT ON audit_events FROM as_worker;
GRANT INSERT (action, detail, kind, record_ids, request_id, role, user_id) ON audit_events TO as_anonymous;
GRANT INSERT (action, detail, kind, record_ids, request_id, role, user_id) ON audit_events TO as_client;
GRANT INSERT (action, detail, kind, record_ids, request_id, role, user_id) ON audit_events TO as_gatekeeper;
GRANT INSERT (action, detail, kind, record_ids, request_id, role, user_id) ON audit_events TO as_patient;
GRANT INSERT (action, detail, kind, record_ids, request_id, role, user_id) ON audit_events TO as_physician;
GRANT INSERT (action, detail, kind, record_ids, request_id, role, user_id) ON audit_events TO as_staff;
GRANT INSERT (action, detail, kind, record_ids, request_id, role, user_id) ON audit_events TO as_worker;
REVOKE UPDATE ON bill_types FROM as_staff;
REVOKE UPDATE ON bill_types FROM as_worker;
GRANT UPDATE (name, position) ON bill_types TO as_staff;
GRANT UPDATE (name, position) ON bill_types TO as_worker;
REVOKE UPDATE ON collection_sites FROM as_staff;
REVOKE UPDATE ON collection_sites FROM as_worker;
GRANT UPDATE (position) ON collection_sites TO as_staff;
GRANT UPDATE (position) ON collection_sites TO as_worker;
REVOKE UPDATE ON containers FROM as_staff;
REVOKE UPDATE ON containers FROM as_worker;
GRANT UPDATE (volume_ml) ON containers TO as_staff;
GRANT UPDATE (volume_ml) ON containers TO as_worker;
REVOKE UPDATE ON critical_culture_rules FROM as_staff;
REVOKE UPDATE ON critical_culture_rules FROM as_worker;
GRANT UPDATE (applies_to, finding, mark, source) ON critical_culture_rules TO as_staff;
GRANT UPDATE (applies_to, finding, mark, source) ON critical_culture_rules TO as_worker;
REVOKE UPDATE ON culture_terms FROM as_staff;
REVOKE UPDATE ON culture_terms FROM as_worker;
GRANT UPDATE (is_critical, is_interim, name, position, words) ON culture_terms TO as_staff;
GRANT UPDATE (is_critical, is_interim, name, position, words) ON culture_terms TO as_worker;
REVOKE UPDATE ON diagnoses FROM as_staff;
REVOKE UPDATE ON diagnoses FROM as_worker;
GRANT UPDATE (code, description, release, search_text, valid_from, valid_to) ON diagnoses TO as_staff;
GRANT UPDATE (code, description, release, search_text, valid_from, valid_to) ON diagnoses TO as_worker;
REVOKE UPDATE ON exports FROM as_client;
REVOKE UPDATE ON exports FROM as_patient;
REVOKE UPDATE ON exports FROM as_physician;
REVOKE UPDATE ON exports FROM as_staff;
REVOKE UPDATE ON exports FROM as_worker;
GRANT UPDATE (attempt, expires_at, finished_at, key, removed_at, role, rows_expected, rows_written, scope_ids, size, started_at, state, trouble) ON exports TO as_client;
GRANT UPDATE (attempt, expires_at, finished_at, key, removed_at, role, rows_expected, rows_written, scope_ids, size, started_at, state, trouble) ON exports TO as_patient;
GRANT UPDATE (attempt, expires_at, finished_at, key, removed_at, role, rows_expected, rows_written, scope_ids, size, started_at, state, trouble) ON exports TO as_physician;
GRANT UPDATE (attempt, expires_at, finished_at, key, removed_at, role, rows_expected, rows_written, scope_ids, size, started_at, state, trouble) ON exports TO as_staff;
GRANT UPDATE (attempt, expires_at, finished_at, key, removed_at, role, rows_expected, rows_written, scope_ids, size, started_at, state, trouble) ON exports TO as_worker;
REVOKE UPDATE ON favorite_panels FROM as_client;
REVOKE UPDATE ON favorite_panels FROM as_patient;
REVOKE UPDATE ON favorite_panels FROM as_physician;
REVOKE UPDATE ON favorite_panels FROM as_staff;
GRANT UPDATE (name, version) ON favorite_panels TO as_client;
GRANT UPDATE (name, version) ON favorite_panels TO as_patient;
GRANT UPDATE (name, version) ON favorite_panels TO as_physician;
GRANT UPDATE (name, version) ON favorite_panels TO as_staff;
REVOKE UPDATE ON idempotency_keys FROM as_client;
REVOKE UPDATE ON idempotency_keys FROM as_patient;
REVOKE UPDATE ON idempotency_keys FROM as_physician;
REVOKE UPDATE ON idempotency_keys FROM as_staff;
GRANT UPDATE (body, headers, status) ON idempotency_keys TO as_client;
GRANT UPDATE (body, headers, status) ON idempotency_keys TO as_patient;
GRANT UPDATE (body, headers, status) ON idempotency_keys TO as_physician;
GRANT UPDATE (body, headers, status) ON idempotency_keys TO as_staff;
REVOKE UPDATE ON lab_settings FROM as_staff;
REVOKE UPDATE ON lab_settings FROM as_worker;
GRANT UPDATE (value, version) ON lab_settings TO as_staff;
GRANT UPDATE (value, version) ON lab_settings TO as_worker;
REVOKE UPDATE ON medications FROM as_staff;
REVOKE UPDATE ON medications FROM as_worker;
GRANT UPDATE (name) ON medications TO as_staff;
GRANT UPDATE (name) ON medications TO as_worker;
REVOKE UPDATE ON organisms FROM as_staff;
REVOKE UPDATE ON organisms FROM as_worker;
GRANT UPDATE (group_code, is_flora, is_interim, name, snomed) ON organisms TO as_staff;
GRANT UPDATE (group_code, is_flora, is_interim, name, snomed) ON organisms TO as_worker;
REVOKE UPDATE ON reasons FROM as_staff;
REVOKE UPDATE ON reasons FROM as_worker;
GRANT UPDATE (position, words) ON reasons TO as_staff;
GRANT UPDATE (position, words) ON reasons TO as_worker;
REVOKE UPDATE ON saved_searches FROM as_client;
REVOKE UPDATE ON saved_searches FROM as_patient;
REVOKE UPDATE ON saved_searches FROM as_physician;
REVOKE UPDATE ON saved_searches FROM as_staff;
GRANT UPDATE (columns, name, query, sort, version) ON saved_searches TO as_client;
GRANT UPDATE (columns, name, query, sort, version) ON saved_searches TO as_patient;
GRANT UPDATE (columns, name, query, sort, version) ON saved_searches TO as_physician;
GRANT UPDATE (columns, name, query, sort, version) ON saved_searches TO as_staff;
REVOKE UPDATE ON sign_in_attempts FROM as_gatekeeper;
GRANT UPDATE (failures, last_failure_at) ON sign_in_attempts TO as_gatekeeper;
DROP POLICY as_staff_update ON toxicology_names;
DROP POLICY as_worker_update ON toxicology_names;
REVOKE UPDATE ON toxicology_names FROM as_staff;
REVOKE UPDATE ON toxicology_names FROM as_worker;
REVOKE UPDATE ON toxicology_substances FROM as_staff;
REVOKE UPDATE ON toxicology_substances FROM as_worker;
GRANT UPDATE (drug_class, is_critical) ON toxicology_substances TO as_staff;
GRANT UPDATE (drug_class, is_critical) ON toxicology_substances TO as_worker;
REVOKE UPDATE ON transmissions FROM as_worker;
GRANT UPDATE (attempts, delivered_at, next_try_at, reference, sender, sent_at, status, trouble) ON transmissions TO as_worker;
DROP POLICY as_gatekeeper_delete ON users;
DROP POLICY as_gatekeeper_insert ON users;
REVOKE UPDATE ON users FROM as_client;
REVOKE DELETE ON users FROM as_gatekeeper;
REVOKE INSERT ON users FROM as_gatekeeper;
REVOKE UPDATE ON users FROM as_gatekeeper;
REVOKE UPDATE ON users FROM as_patient;
REVOKE UPDATE ON users FROM as_physician;
REVOKE UPDATE ON users FROM as_staff;
GRANT UPDATE (first_name, last_name, sign_image, version) ON users TO as_client;
GRANT UPDATE (last_login_at, password_hash, version) ON users TO as_gatekeeper;
GRANT UPDATE (first_name, last_name, sign_image, version) ON users TO as_patient;
GRANT UPDATE (first_name, last_name, sign_image, version) ON users TO as_physician;
GRANT UPDATE (first_name, last_name, sign_image, version) ON users TO as_staff;
REVOKE UPDATE ON zip_codes FROM as_staff;
REVOKE UPDATE ON zip_codes FROM as_worker;
GRANT UPDATE (city, code, state) ON zip_codes TO as_staff;
GRANT UPDATE (city, code, state) ON zip_codes TO as_worker;
REVOKE UPDATE ON breakpoints FROM as_staff;
REVOKE UPDATE ON breakpoints FROM as_worker;
GRANT UPDATE (antibiotic, applies_to, dose_dependent, edition, invented, method, resistant, source, susceptible) ON breakpoints TO as_staff;
GRANT UPDATE (antibiotic, applies_to, dose_dependent, edition, invented, method, resistant, source, susceptible) ON breakpoints TO as_worker;
REVOKE UPDATE ON cascade_rules FROM as_staff;
REVOKE UPDATE ON cascade_rules FROM as_worker;
GRANT UPDATE (antibiotic, applies_to, unless_antibiotic, unless_interpretations, unless_source) ON cascade_rules TO as_staff;
GRANT UPDATE (antibiotic, applies_to, unless_antibiotic, unless_interpretations, unless_source) ON cascade_rules TO as_worker;
REVOKE UPDATE ON clients FROM as_staff;
REVOKE UPDATE ON clients FROM as_worker;
GRANT UPDATE (address, code, default_bill_to, fax, name, notice_email, phone, requires_physician, version, web_access, zip_code_id, zip_code_plus4) ON clients TO as_staff;
GRANT UPDATE (address, code, default_bill_to, fax, name, notice_email, phone, requires_physician, version, web_access, zip_code_id, zip_code_plus4) ON clients TO as_worker;
REVOKE UPDATE ON diagnosis_terms FROM as_staff;
REVOKE UPDATE ON diagnosis_terms FROM as_worker;
GRANT UPDATE (diagnosis_id) ON diagnosis_terms TO as_staff;
GRANT UPDATE (diagnosis_id) ON diagnosis_terms TO as_worker;
DROP POLICY as_staff_update ON intrinsic_resistances;
DROP POLICY as_worker_update ON intrinsic_resistances;
REVOKE UPDATE ON intrinsic_resistances FROM as_staff;
REVOKE UPDATE ON intrinsic_resistances FROM as_worker;
REVOKE UPDATE ON payers FROM as_staff;
REVOKE UPDATE ON payers FROM as_worker;
GRANT UPDATE (bill_type_id, medicare_part_b, name) ON payers TO as_staff;
GRANT UPDATE (bill_type_id, medicare_part_b, name) ON payers TO as_worker;
REVOKE UPDATE ON physicians FROM as_staff;
REVOKE UPDATE ON physicians FROM as_worker;
GRANT UPDATE (address, fax, first_name, last_name, npi, phone, version, zip_code_id) ON physicians TO as_staff;
GRANT UPDATE (address, fax, first_name, last_name, npi, phone, version, zip_code_id) ON physicians TO as_worker;
DROP POLICY as_client_update ON registrations;
DROP POLICY as_gatekeeper_delete ON registrations;
DROP POLICY as_gatekeeper_insert ON registrations;
DROP POLICY as_gatekeeper_update ON registrations;
DROP POLICY as_patient_update ON registrations;
DROP POLICY as_physician_update ON registrations;
DROP POLICY as_staff_update ON registrations;
REVOKE UPDATE ON registrations FROM as_client;
REVOKE DELETE ON registrations FROM as_gatekeeper;
REVOKE INSERT ON registrations FROM as_gatekeeper;
REVOKE UPDATE ON registrations FROM as_gatekeeper;
REVOKE UPDATE ON registrations FROM as_patient;
REVOKE UPDATE ON registrations FROM as_physician;
REVOKE UPDATE ON registrations FROM as_staff;
REVOKE UPDATE ON send_attempts FROM as_staff;
REVOKE UPDATE ON send_attempts FROM as_worker;
GRANT UPDATE (ended_at, outcome, reference, trouble) ON send_attempts TO as_staff;
GRANT UPDATE (ended_at, outcome, reference, trouble) ON send_attempts TO as_worker;
DROP POLICY as_staff_update ON toxicology_metabolites;
DROP POLICY as_worker_update ON toxicology_metabolites;
REVOKE UPDATE ON toxicology_metabolites FROM as_staff;
REVOKE UPDATE ON toxicology_metabolites FROM as_worker;
REVOKE UPDATE ON user_sessions FROM as_gatekeeper;
GRANT UPDATE (ended_at) ON user_sessions TO as_gatekeeper;
REVOKE UPDATE ON critical_contacts FROM as_staff;
REVOKE UPDATE ON critical_contacts FROM as_worker;
GRANT UPDATE (client_id, duty, email, name, phone, position) ON critical_contacts TO as_staff;
GRANT UPDATE (client_id, duty, email, name, phone, position) ON critical_contacts TO as_worker;
DROP POLICY as_client_select ON lab_tests;
DROP POLICY as_patient_select ON lab_tests;
DROP POLICY as_physician_select ON lab_tests;
CREATE POLICY as_client_select ON lab_tests FOR SELECT TO as_client USING (client_id IS NULL OR client_id = ANY((SELECT nullif(current_setting('app.ids', true), '')::bigint[])::bigint[]) OR (sees_private_test(id, client_id)));
CREATE POLICY as_patient_select ON lab_tests FOR SELECT TO as_patient USING (client_id IS NULL OR (sees_private_test(id, client_id)));
CREATE POLICY as_physician_select ON lab_tests FOR SELECT TO as_physician USING (client_id IS NULL OR (sees_private_test(id, client_id)));
REVOKE UPDATE ON lab_tests FROM as_staff;
REVOKE UPDATE ON lab_tests FROM as_worker;
GRANT UPDATE (alternate_names, choices, client_id, code, container, critical_choices, decimals, delta_days, delta_percent, formula, formula_inputs, formula_source, is_panel, kind, limits_invented, loinc, method, name, normal_choices, orderable, plausible_high, plausible_low, possible_high, possible_low, required_ml, result_type, search_text, specimen, unit) ON lab_tests TO as_staff;
GRANT UPDATE (alternate_names, choices, client_id, code, container, critical_choices, decimals, delta_days, delta_percent, formula, formula_inputs, formula_source, is_panel, kind, limits_invented, loinc, method, name, normal_choices, orderable, plausible_high, plausible_low, possible_high, possible_low, required_ml, result_type, search_text, specimen, unit) ON lab_tests TO as_worker;
REVOKE UPDATE ON refresh_tokens FROM as_gatekeeper;
GRANT UPDATE (used_at) ON refresh_tokens TO as_gatekeeper;
REVOKE UPDATE ON units FROM as_staff;
REVOKE UPDATE ON units FROM as_worker;
GRANT UPDATE (name) ON units TO as_staff;
GRANT UPDATE (name) ON units TO as_worker;
REVOKE UPDATE ON autoverification_rules FROM as_staff;
REVOKE UPDATE ON autoverification_rules FROM as_worker;
GRANT UPDATE (allows_abnormal, changed_at, changed_by, delta_days, delta_percent, high, is_on, low, switched_at, switched_by, test_id, version) ON autoverification_rules TO as_staff;
GRANT UPDATE (allows_abnormal, changed_at, changed_by, delta_days, delta_percent, high, is_on, low, switched_at, switched_by, test_id, version) ON autoverification_rules TO as_worker;
REVOKE UPDATE ON favorite_panel_tests FROM as_client;
REVOKE UPDATE ON favorite_panel_tests FROM as_staff;
REVOKE UPDATE ON favorite_panel_tests FROM as_worker;
GRANT UPDATE (position) ON favorite_panel_tests TO as_client;
GRANT UPDATE (position) ON favorite_panel_tests TO as_staff;
GRANT UPDATE (position) ON favorite_panel_tests TO as_worker;
REVOKE UPDATE ON panel_members FROM as_staff;
REVOKE UPDATE ON panel_members FROM as_worker;
GRANT UPDATE (position) ON panel_members TO as_staff;
GRANT UPDATE (position) ON panel_members TO as_worker;
REVOKE UPDATE ON reference_ranges FROM as_staff;
REVOKE UPDATE ON reference_ranges FROM as_worker;
GRANT UPDATE (age_from_days, age_to_days, critical_high, critical_low, gender, high, invented, low, test_id, words) ON reference_ranges TO as_staff;
GRANT UPDATE (age_from_days, age_to_days, critical_high, critical_low, gender, high, invented, low, test_id, words) ON reference_ranges TO as_worker;
REVOKE UPDATE ON reflex_rules FROM as_staff;
REVOKE UPDATE ON reflex_rules FROM as_worker;
GRANT UPDATE (added_test_id, code, condition, flags, high, is_active, low, source, test_id, words) ON reflex_rules TO as_staff;
GRANT UPDATE (added_test_id, code, condition, flags, high, is_active, low, source, test_id, words) ON reflex_rules TO as_worker;
REVOKE UPDATE ON rooms FROM as_staff;
REVOKE UPDATE ON rooms FROM as_worker;
GRANT UPDATE (name, unit_id) ON rooms TO as_staff;
GRANT UPDATE (name, unit_id) ON rooms TO as_worker;
DROP POLICY as_client_select ON test_codes;
DROP POLICY as_patient_select ON test_codes;
DROP POLICY as_physician_select ON test_codes;
CREATE POLICY as_client_select ON test_codes FOR SELECT TO as_client USING (client_id IS NULL OR client_id = ANY((SELECT nullif(current_setting('app.ids', true), '')::bigint[])::bigint[]) OR (EXISTS (SELECT 1 FROM clients c WHERE c.id = test_codes.client_id)));
CREATE POLICY as_patient_select ON test_codes FOR SELECT TO as_patient USING (client_id IS NULL OR (EXISTS (SELECT 1 FROM clients c WHERE c.id = test_codes.client_id)));
CREATE POLICY as_physician_select ON test_codes FOR SELECT TO as_physician USING (client_id IS NULL OR (EXISTS (SELECT 1 FROM clients c WHERE c.id = test_codes.client_id)));
REVOKE UPDATE ON test_codes FROM as_staff;
REVOKE UPDATE ON test_codes FROM as_worker;
GRANT UPDATE (client_id, code, test_id) ON test_codes TO as_staff;
GRANT UPDATE (client_id, code, test_id) ON test_codes TO as_worker;
REVOKE UPDATE ON toxicology_tests FROM as_staff;
REVOKE UPDATE ON toxicology_tests FROM as_worker;
GRANT UPDATE (cut_off, detection_window, high, invented, low, method, targets) ON toxicology_tests TO as_staff;
GRANT UPDATE (cut_off, detection_window, high, invented, low, method, targets) ON toxicology_tests TO as_worker;
REVOKE UPDATE ON patients FROM as_client;
REVOKE UPDATE ON patients FROM as_staff;
REVOKE UPDATE ON patients FROM as_worker;
GRANT UPDATE (address, bed, birth_date, client_id, email, ethnicity, first_name, gender, gender_identity_id, last_name, medical_record_id, middle_name, mobile, phone, primary_physician_id, race, room_id, same_as_client_address, sexual_orientation_id, ssn_encrypted, ssn_hash, ssn_last4, unit_id, version, zip_code_id, zip_code_plus4) ON patients TO as_client;
GRANT UPDATE (address, bed, birth_date, client_id, email, ethnicity, first_name, gender, gender_identity_id, last_name, medical_record_id, middle_name, mobile, phone, primary_physician_id, race, room_id, same_as_client_address, sexual_orientation_id, ssn_encrypted, ssn_hash, ssn_last4, unit_id, version, zip_code_id, zip_code_plus4) ON patients TO as_staff;
GRANT UPDATE (address, bed, birth_date, client_id, email, ethnicity, first_name, gender, gender_identity_id, last_name, medical_record_id, middle_name, mobile, phone, primary_physician_id, race, room_id, same_as_client_address, sexual_orientation_id, ssn_encrypted, ssn_hash, ssn_last4, unit_id, version, zip_code_id, zip_code_plus4) ON patients TO as_worker;
REVOKE UPDATE ON patient_diagnoses FROM as_client;
REVOKE UPDATE ON patient_diagnoses FROM as_staff;
REVOKE UPDATE ON patient_diagnoses FROM as_worker;
GRANT UPDATE (diagnosis_id, position) ON patient_diagnoses TO as_client;
GRANT UPDATE (diagnosis_id, position) ON patient_diagnoses TO as_staff;
GRANT UPDATE (diagnosis_id, position) ON patient_diagnoses TO as_worker;
REVOKE UPDATE ON patient_insurance FROM as_client;
REVOKE UPDATE ON patient_insurance FROM as_staff;
REVOKE UPDATE ON patient_insurance FROM as_worker;
GRANT UPDATE (address, bill_type_id, birth_date, different_than_patient, first_name, gender, group_number, insurance_id, last_name, middle_name, payer_id, phone, position, relationship, removed_at, zip_code_id, zip_code_plus4) ON patient_insurance TO as_client;
GRANT UPDATE (address, bill_type_id, birth_date, different_than_patient, first_name, gender, group_number, insurance_id, last_name, middle_name, payer_id, phone, position, relationship, removed_at, zip_code_id, zip_code_plus4) ON patient_insurance TO as_staff;
GRANT UPDATE (address, bill_type_id, birth_date, different_than_patient, first_name, gender, group_number, insurance_id, last_name, middle_name, payer_id, phone, position, relationship, removed_at, zip_code_id, zip_code_plus4) ON patient_insurance TO as_worker;
REVOKE UPDATE ON patient_medications FROM as_client;
REVOKE UPDATE ON patient_medications FROM as_staff;
REVOKE UPDATE ON patient_medications FROM as_worker;
GRANT UPDATE (name, position) ON patient_medications TO as_client;
GRANT UPDATE (name, position) ON patient_medications TO as_staff;
GRANT UPDATE (name, position) ON patient_medications TO as_worker;
REVOKE UPDATE ON patient_responsible_parties FROM as_client;
REVOKE UPDATE ON patient_responsible_parties FROM as_staff;
REVOKE UPDATE ON patient_responsible_parties FROM as_worker;
GRANT UPDATE (address, country, fax, first_name, last_name, mobile, phone, position, zip_code_id, zip_code_plus4) ON patient_responsible_parties TO as_client;
GRANT UPDATE (address, country, fax, first_name, last_name, mobile, phone, position, zip_code_id, zip_code_plus4) ON patient_responsible_parties TO as_staff;
GRANT UPDATE (address, country, fax, first_name, last_name, mobile, phone, position, zip_code_id, zip_code_plus4) ON patient_responsible_parties TO as_worker;
REVOKE UPDATE ON requisitions FROM as_client;
REVOKE UPDATE ON requisitions FROM as_patient;
REVOKE UPDATE ON requisitions FROM as_physician;
REVOKE UPDATE ON requisitions FROM as_staff;
REVOKE UPDATE ON requisitions FROM as_worker;
GRANT UPDATE (bed, bill_to, cancel_comment, canceled_at, canceled_by_name, client_id, collection_date, comments, fasting, has_signature, patient_birth_date, patient_first_name, patient_gender, patient_id, patient_last_name, patient_middle_name, physician_id, priority, room_name, status, test_ids, unit_id, unit_name, version) ON requisitions TO as_client;
GRANT UPDATE (has_signature, version) ON requisitions TO as_patient;
GRANT UPDATE (bill_to, comments, has_signature, physician_id, version) ON requisitions TO as_physician;
GRANT UPDATE (bed, bill_to, cancel_comment, canceled_at, canceled_by_name, client_id, collection_date, comments, fasting, has_signature, patient_birth_date, patient_first_name, patient_gender, patient_id, patient_last_name, patient_middle_name, physician_id, priority, room_name, status, test_ids, unit_id, unit_name, version) ON requisitions TO as_staff;
GRANT UPDATE (bed, bill_to, cancel_comment, canceled_at, canceled_by_name, client_id, collection_date, comments, fasting, has_signature, patient_birth_date, patient_first_name, patient_gender, patient_id, patient_last_name, patient_middle_name, physician_id, priority, room_name, status, test_ids, unit_id, unit_name, version) ON requisitions TO as_worker;
CREATE OR REPLACE TRIGGER lock_client BEFORE UPDATE ON requisitions FOR EACH ROW WHEN ((OLD.status <> 1 OR OLD.has_signature) AND ROW(OLD.client_id, OLD.patient_id) IS DISTINCT FROM ROW(NEW.client_id, NEW.patient_id)) EXECUTE FUNCTION reject_change();
REVOKE UPDATE ON orders FROM as_client;
REVOKE UPDATE ON orders FROM as_staff;
REVOKE UPDATE ON orders FROM as_worker;
GRANT UPDATE (abnormal_kinds, acknowledged_at, acknowledged_by_name, awaits_collection, bed, billing_comment, collection_date, collection_sites, critical_kinds, entry_alert, has_abnormal, has_critical, has_unexpected_positive, is_unread, is_unread_by_physician, lacks_info, patient_birth_date, patient_first_name, patient_gender, patient_last_name, patient_middle_name, physician_id, report_comment, reported_at, room_name, shown_version, specimen_condition, status, test_ids, unit_id, unit_name, version) ON orders TO as_client;
GRANT UPDATE (abnormal_kinds, acknowledged_at, acknowledged_by_name, awaits_collection, bed, billing_comment, collection_date, collection_sites, critical_kinds, entry_alert, has_abnormal, has_critical, has_unexpected_positive, is_unread, is_unread_by_physician, lacks_info, patient_birth_date, patient_first_name, patient_gender, patient_last_name, patient_middle_name, physician_id, report_comment, reported_at, room_name, shown_version, specimen_condition, status, test_ids, unit_id, unit_name, version) ON orders TO as_staff;
GRANT UPDATE (abnormal_kinds, acknowledged_at, acknowledged_by_name, awaits_collection, bed, billing_comment, collection_date, collection_sites, critical_kinds, entry_alert, has_abnormal, has_critical, has_unexpected_positive, is_unread, is_unread_by_physician, lacks_info, patient_birth_date, patient_first_name, patient_gender, patient_last_name, patient_middle_name, physician_id, report_comment, reported_at, room_name, shown_version, specimen_condition, status, test_ids, unit_id, unit_name, version) ON orders TO as_worker;
DROP POLICY as_client_update ON requisition_copies;
DROP POLICY as_staff_update ON requisition_copies;
DROP POLICY as_worker_update ON requisition_copies;
REVOKE UPDATE ON requisition_copies FROM as_client;
REVOKE UPDATE ON requisition_copies FROM as_staff;
REVOKE UPDATE ON requisition_copies FROM as_worker;
DROP POLICY as_client_update ON requisition_diagnoses;
DROP POLICY as_staff_update ON requisition_diagnoses;
DROP POLICY as_worker_update ON requisition_diagnoses;
REVOKE UPDATE ON requisition_diagnoses FROM as_client;
REVOKE UPDATE ON requisition_diagnoses FROM as_staff;
REVOKE UPDATE ON requisition_diagnoses FROM as_worker;
REVOKE UPDATE ON requisition_documents FROM as_client;
REVOKE UPDATE ON requisition_documents FROM as_physician;
REVOKE UPDATE ON requisition_documents FROM as_staff;
REVOKE UPDATE ON requisition_documents FROM as_worker;
GRANT UPDATE (removed_at, removed_by) ON requisition_documents TO as_client;
GRANT UPDATE (removed_at, removed_by) ON requisition_documents TO as_physician;
GRANT UPDATE (removed_at, removed_by) ON requisition_documents TO as_staff;
GRANT UPDATE (removed_at, removed_by) ON requisition_documents TO as_worker;
REVOKE UPDATE ON requisition_drafts FROM as_client;
REVOKE UPDATE ON requisition_drafts FROM as_patient;
REVOKE UPDATE ON requisition_drafts FROM as_physician;
REVOKE UPDATE ON requisition_drafts FROM as_staff;
GRANT UPDATE (content, patient_id, requisition_id, saved_at) ON requisition_drafts TO as_client;
GRANT UPDATE (content, patient_id, requisition_id, saved_at) ON requisition_drafts TO as_patient;
GRANT UPDATE (content, patient_id, requisition_id, saved_at) ON requisition_drafts TO as_physician;
GRANT UPDATE (content, patient_id, requisition_id, saved_at) ON requisition_drafts TO as_staff;
REVOKE UPDATE ON requisition_insurance FROM as_client;
REVOKE UPDATE ON requisition_insurance FROM as_staff;
REVOKE UPDATE ON requisition_insurance FROM as_worker;
GRANT UPDATE (position, snapshot) ON requisition_insurance TO as_client;
GRANT UPDATE (position, snapshot) ON requisition_insurance TO as_staff;
GRANT UPDATE (position, snapshot) ON requisition_insurance TO as_worker;
DROP POLICY as_client_update ON requisition_medications;
DROP POLICY as_staff_update ON requisition_medications;
DROP POLICY as_worker_update ON requisition_medications;
REVOKE UPDATE ON requisition_medications FROM as_client;
REVOKE UPDATE ON requisition_medications FROM as_staff;
REVOKE UPDATE ON requisition_medications FROM as_worker;
DROP POLICY as_client_insert ON requisition_signatures;
DROP POLICY as_patient_insert ON requisition_signatures;
DROP POLICY as_physician_insert ON requisition_signatures;
DROP POLICY as_staff_insert ON requisition_signatures;
DROP POLICY as_worker_insert ON requisition_signatures;
CREATE POLICY as_client_insert ON requisition_signatures FOR INSERT TO as_client WITH CHECK ((user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid)) AND (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_signatures.requisition_id)));
CREATE POLICY as_patient_insert ON requisition_signatures FOR INSERT TO as_patient WITH CHECK ((user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid)) AND (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_signatures.requisition_id)));
CREATE POLICY as_physician_insert ON requisition_signatures FOR INSERT TO as_physician WITH CHECK ((user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid)) AND (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_signatures.requisition_id)));
CREATE POLICY as_staff_insert ON requisition_signatures FOR INSERT TO as_staff WITH CHECK ((user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid)) AND (true));
CREATE POLICY as_worker_insert ON requisition_signatures FOR INSERT TO as_worker WITH CHECK ((user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid)) AND (true));
REVOKE UPDATE ON requisition_signatures FROM as_client;
REVOKE UPDATE ON requisition_signatures FROM as_patient;
REVOKE UPDATE ON requisition_signatures FROM as_physician;
REVOKE UPDATE ON requisition_signatures FROM as_staff;
REVOKE UPDATE ON requisition_signatures FROM as_worker;
GRANT UPDATE (removed_at) ON requisition_signatures TO as_client;
GRANT UPDATE (removed_at) ON requisition_signatures TO as_patient;
GRANT UPDATE (removed_at) ON requisition_signatures TO as_physician;
GRANT UPDATE (removed_at) ON requisition_signatures TO as_staff;
GRANT UPDATE (removed_at) ON requisition_signatures TO as_worker;
CREATE OR REPLACE TRIGGER lock_ended BEFORE UPDATE ON requisition_signatures FOR EACH ROW WHEN (OLD.removed_at IS NOT NULL AND ROW(OLD.id, OLD.requisition_id, OLD.user_id, OLD.user_name, OLD.image, OLD.content_hash, OLD.signed_at, OLD.removed_at) IS DISTINCT FROM ROW(NEW.id, NEW.requisition_id, NEW.user_id, NEW.user_name, NEW.image, NEW.content_hash, NEW.signed_at, NEW.removed_at)) EXECUTE FUNCTION reject_change();
CREATE OR REPLACE TRIGGER lock_signer BEFORE UPDATE ON requisition_signatures FOR EACH ROW WHEN (OLD.user_id IS DISTINCT FROM nullif(current_setting('app.user', true), '')::uuid AND ROW(OLD.id, OLD.requisition_id, OLD.user_id, OLD.user_name, OLD.image, OLD.content_hash, OLD.signed_at, OLD.removed_at) IS DISTINCT FROM ROW(NEW.id, NEW.requisition_id, NEW.user_id, NEW.user_name, NEW.image, NEW.content_hash, NEW.signed_at, NEW.removed_at)) EXECUTE FUNCTION reject_change();
DROP POLICY as_client_update ON requisition_tests;
DROP POLICY as_staff_update ON requisition_tests;
DROP POLICY as_worker_update ON requisition_tests;
REVOKE UPDATE ON requisition_tests FROM as_client;
REVOKE UPDATE ON requisition_tests FROM as_staff;
REVOKE UPDATE ON requisition_tests FROM as_worker;
REVOKE UPDATE ON critical_notices FROM as_staff;
REVOKE UPDATE ON critical_notices FROM as_worker;
GRANT UPDATE (closed_at, closed_by, closed_by_name, closing_note, due_at, escalate_at, level, told_at, version) ON critical_notices TO as_staff;
GRANT UPDATE (closed_at, closed_by, closed_by_name, closing_note, due_at, escalate_at, level, told_at, version) ON critical_notices TO as_worker;
CREATE OR REPLACE TRIGGER lock_closed BEFORE UPDATE ON critical_notices FOR EACH ROW WHEN (OLD.closed_at IS NOT NULL AND ROW(OLD.id, OLD.order_id, OLD.opened_at, OLD.due_at, OLD.level, OLD.escalate_at, OLD.told_at, OLD.closed_at, OLD.closed_by, OLD.closed_by_name, OLD.closing_note, OLD.version) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.opened_at, NEW.due_at, NEW.level, NEW.escalate_at, NEW.told_at, NEW.closed_at, NEW.closed_by, NEW.closed_by_name, NEW.closing_note, NEW.version)) EXECUTE FUNCTION reject_change();
DROP POLICY as_client_insert ON order_acknowledgments;
DROP POLICY as_physician_insert ON order_acknowledgments;
CREATE POLICY as_client_insert ON order_acknowledgments FOR INSERT TO as_client WITH CHECK ((user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid)) AND (NOT by_physician AND EXISTS (SELECT 1 FROM orders p WHERE p.id = order_acknowledgments.order_id)));
CREATE POLICY as_physician_insert ON order_acknowledgments FOR INSERT TO as_physician WITH CHECK ((user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid)) AND (EXISTS (SELECT 1 FROM orders p WHERE p.id = order_acknowledgments.order_id)));
REVOKE UPDATE ON order_acknowledgments FROM as_staff;
REVOKE UPDATE ON order_acknowledgments FROM as_worker;
GRANT UPDATE (reopened_at, reopened_by) ON order_acknowledgments TO as_staff;
GRANT UPDATE (reopened_at, reopened_by) ON order_acknowledgments TO as_worker;
DROP POLICY as_physician_insert ON order_completions;
DROP POLICY as_staff_insert ON order_completions;
DROP POLICY as_worker_insert ON order_completions;
CREATE POLICY as_physician_insert ON order_completions FOR INSERT TO as_physician WITH CHECK ((user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid)) AND (EXISTS (SELECT 1 FROM orders p WHERE p.id = order_completions.order_id)));
CREATE POLICY as_staff_insert ON order_completions FOR INSERT TO as_staff WITH CHECK ((user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid)) AND (true));
CREATE POLICY as_worker_insert ON order_completions FOR INSERT TO as_worker WITH CHECK ((user_id = (SELECT nullif(current_setting('app.user', true), '')::uuid)) AND (true));
REVOKE UPDATE ON order_documents FROM as_client;
REVOKE UPDATE ON order_documents FROM as_physician;
REVOKE UPDATE ON order_documents FROM as_staff;
REVOKE UPDATE ON order_documents FROM as_worker;
GRANT UPDATE (removed_at, removed_by) ON order_documents TO as_client;
GRANT UPDATE (removed_at, removed_by) ON order_documents TO as_physician;
GRANT UPDATE (removed_at, removed_by) ON order_documents TO as_staff;
GRANT UPDATE (removed_at, removed_by) ON order_documents TO as_worker;
REVOKE UPDATE ON order_tests FROM as_client;
REVOKE UPDATE ON order_tests FROM as_staff;
REVOKE UPDATE ON order_tests FROM as_worker;
GRANT UPDATE (awaits_collection, cancel_reason, cancel_words, canceled_at, canceled_by, canceled_status, is_confidential, status, withheld) ON order_tests TO as_client;
GRANT UPDATE (awaits_collection, cancel_reason, cancel_words, canceled_at, canceled_by, canceled_status, is_confidential, status, withheld) ON order_tests TO as_staff;
GRANT UPDATE (awaits_collection, cancel_reason, cancel_words, canceled_at, canceled_by, canceled_status, is_confidential, status, withheld) ON order_tests TO as_worker;
REVOKE UPDATE ON result_holds FROM as_staff;
REVOKE UPDATE ON result_holds FROM as_worker;
GRANT UPDATE (lifted_at, lifted_by, lifted_words) ON result_holds TO as_staff;
GRANT UPDATE (lifted_at, lifted_by, lifted_words) ON result_holds TO as_worker;
REVOKE UPDATE ON specimens FROM as_staff;
REVOKE UPDATE ON specimens FROM as_worker;
GRANT UPDATE (collected_at, condition_words, conditions, container, reason, reason_words, received_at, received_by, rejected_at, rejected_by, specimen, state) ON specimens TO as_staff;
GRANT UPDATE (collected_at, condition_words, conditions, container, reason, reason_words, received_at, received_by, rejected_at, rejected_by, specimen, state) ON specimens TO as_worker;
REVOKE UPDATE ON critical_alerts FROM as_staff;
REVOKE UPDATE ON critical_alerts FROM as_worker;
GRANT UPDATE (attempts, next_try_at, sent_at, trouble) ON critical_alerts TO as_staff;
GRANT UPDATE (attempts, next_try_at, sent_at, trouble) ON critical_alerts TO as_worker;
REVOKE UPDATE ON critical_items FROM as_staff;
REVOKE UPDATE ON critical_items FROM as_worker;
GRANT UPDATE (replaced_at, replaced_by) ON critical_items TO as_staff;
GRANT UPDATE (replaced_at, replaced_by) ON critical_items TO as_worker;
REVOKE UPDATE ON cultures FROM as_client;
REVOKE UPDATE ON cultures FROM as_staff;
REVOKE UPDATE ON cultures FROM as_worker;
GRANT UPDATE (is_current, released_at, released_by, released_by_name, stage) ON cultures TO as_client;
GRANT UPDATE (is_current, released_at, released_by, released_by_name, stage) ON cultures TO as_staff;
GRANT UPDATE (is_current, released_at, released_by, released_by_name, stage) ON cultures TO as_worker;
CREATE OR REPLACE TRIGGER lock_released BEFORE UPDATE ON cultures FOR EACH ROW WHEN (OLD.released_at IS NOT NULL AND ROW(OLD.id, OLD.order_id, OLD.order_test_id, OLD.revision, OLD.is_critical, OLD.is_abnormal, OLD.source, OLD.source_name, OLD.site, OLD.site_name, OLD.collected_at, OLD.result, OLD.comment, OLD.preliminary_comment, OLD.breakpoint_edition, OLD.reason_code, OLD.reason, OLD.explanation, OLD.entered_by, OLD.entered_at, OLD.stage, OLD.released_by, OLD.released_by_name, OLD.released_at) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.order_test_id, NEW.revision, NEW.is_critical, NEW.is_abnormal, NEW.source, NEW.source_name, NEW.site, NEW.site_name, NEW.collected_at, NEW.result, NEW.comment, NEW.preliminary_comment, NEW.breakpoint_edition, NEW.reason_code, NEW.reason, NEW.explanation, NEW.entered_by, NEW.entered_at, NEW.stage, NEW.released_by, NEW.released_by_name, NEW.released_at)) EXECUTE FUNCTION reject_change();
REVOKE UPDATE ON order_additions FROM as_staff;
REVOKE UPDATE ON order_additions FROM as_worker;
GRANT UPDATE (is_reason_gone) ON order_additions TO as_staff;
GRANT UPDATE (is_reason_gone) ON order_additions TO as_worker;
REVOKE UPDATE ON pathology_reports FROM as_client;
REVOKE UPDATE ON pathology_reports FROM as_staff;
REVOKE UPDATE ON pathology_reports FROM as_worker;
GRANT UPDATE (content, entered_at, entered_by, explanation, flag, is_current, kind, reason, reason_code, released_at, released_by, released_by_name, signed_out_by) ON pathology_reports TO as_client;
GRANT UPDATE (content, entered_at, entered_by, explanation, flag, is_current, kind, reason, reason_code, released_at, released_by, released_by_name, signed_out_by) ON pathology_reports TO as_staff;
GRANT UPDATE (content, entered_at, entered_by, explanation, flag, is_current, kind, reason, reason_code, released_at, released_by, released_by_name, signed_out_by) ON pathology_reports TO as_worker;
CREATE OR REPLACE TRIGGER lock_released BEFORE UPDATE ON pathology_reports FOR EACH ROW WHEN (OLD.released_at IS NOT NULL AND ROW(OLD.id, OLD.order_id, OLD.order_test_id, OLD.revision, OLD.kind, OLD.content, OLD.flag, OLD.signed_out_by, OLD.reason_code, OLD.reason, OLD.explanation, OLD.entered_by, OLD.entered_at, OLD.released_by, OLD.released_by_name, OLD.released_at) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.order_test_id, NEW.revision, NEW.kind, NEW.content, NEW.flag, NEW.signed_out_by, NEW.reason_code, NEW.reason, NEW.explanation, NEW.entered_by, NEW.entered_at, NEW.released_by, NEW.released_by_name, NEW.released_at)) EXECUTE FUNCTION reject_change();
REVOKE UPDATE ON results FROM as_client;
REVOKE UPDATE ON results FROM as_staff;
REVOKE UPDATE ON results FROM as_worker;
GRANT UPDATE (autoverified_version, comment, critical_high, critical_low, dilution, entered_at, entered_by, first_value, flag, formula, high, is_confirmed, is_current, is_delta_exceeded, low, measured, method, number, performing_lab, previous_at, previous_value, range_comment, reason, reason_words, reference_range, released_at, released_by, sign, unit, value, verified_at, verified_by, waits_for, withheld, withheld_at, withheld_by, withheld_reason, withheld_words) ON results TO as_client;
GRANT UPDATE (autoverified_version, comment, critical_high, critical_low, dilution, entered_at, entered_by, first_value, flag, formula, high, is_confirmed, is_current, is_delta_exceeded, low, measured, method, number, performing_lab, previous_at, previous_value, range_comment, reason, reason_words, reference_range, released_at, released_by, sign, unit, value, verified_at, verified_by, waits_for, withheld, withheld_at, withheld_by, withheld_reason, withheld_words) ON results TO as_staff;
GRANT UPDATE (autoverified_version, comment, critical_high, critical_low, dilution, entered_at, entered_by, first_value, flag, formula, high, is_confirmed, is_current, is_delta_exceeded, low, measured, method, number, performing_lab, previous_at, previous_value, range_comment, reason, reason_words, reference_range, released_at, released_by, sign, unit, value, verified_at, verified_by, waits_for, withheld, withheld_at, withheld_by, withheld_reason, withheld_words) ON results TO as_worker;
CREATE OR REPLACE TRIGGER lock_released BEFORE UPDATE ON results FOR EACH ROW WHEN (OLD.released_at IS NOT NULL AND ROW(OLD.id, OLD.order_id, OLD.order_test_id, OLD.revision, OLD.value, OLD.sign, OLD.number, OLD.measured, OLD.dilution, OLD.first_value, OLD.formula, OLD.comment, OLD.flag, OLD.unit, OLD.method, OLD.performing_lab, OLD.reference_range, OLD.range_comment, OLD.low, OLD.high, OLD.critical_low, OLD.critical_high, OLD.previous_value, OLD.previous_at, OLD.is_delta_exceeded, OLD.is_confirmed, OLD.reason, OLD.reason_words, OLD.entered_by, OLD.entered_at, OLD.verified_by, OLD.verified_at, OLD.released_by, OLD.autoverified_version, OLD.waits_for, OLD.released_at) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.order_test_id, NEW.revision, NEW.value, NEW.sign, NEW.number, NEW.measured, NEW.dilution, NEW.first_value, NEW.formula, NEW.comment, NEW.flag, NEW.unit, NEW.method, NEW.performing_lab, NEW.reference_range, NEW.range_comment, NEW.low, NEW.high, NEW.critical_low, NEW.critical_high, NEW.previous_value, NEW.previous_at, NEW.is_delta_exceeded, NEW.is_confirmed, NEW.reason, NEW.reason_words, NEW.entered_by, NEW.entered_at, NEW.verified_by, NEW.verified_at, NEW.released_by, NEW.autoverified_version, NEW.waits_for, NEW.released_at)) EXECUTE FUNCTION reject_change();
REVOKE UPDATE ON toxicology_results FROM as_client;
REVOKE UPDATE ON toxicology_results FROM as_staff;
REVOKE UPDATE ON toxicology_results FROM as_worker;
GRANT UPDATE (comment, cut_off, detection_window, entered_at, entered_by, explanation, is_current, is_detected, reason, reason_code, released_at, released_by, released_by_name, unit, value) ON toxicology_results TO as_client;
GRANT UPDATE (comment, cut_off, detection_window, entered_at, entered_by, explanation, is_current, is_detected, reason, reason_code, released_at, released_by, released_by_name, unit, value) ON toxicology_results TO as_staff;
GRANT UPDATE (comment, cut_off, detection_window, entered_at, entered_by, explanation, is_current, is_detected, reason, reason_code, released_at, released_by, released_by_name, unit, value) ON toxicology_results TO as_worker;
CREATE OR REPLACE TRIGGER lock_released BEFORE UPDATE ON toxicology_results FOR EACH ROW WHEN (OLD.released_at IS NOT NULL AND ROW(OLD.id, OLD.order_id, OLD.order_test_id, OLD.revision, OLD.value, OLD.is_detected, OLD.unit, OLD.cut_off, OLD.detection_window, OLD.comment, OLD.reason_code, OLD.reason, OLD.explanation, OLD.entered_by, OLD.entered_at, OLD.released_by, OLD.released_by_name, OLD.released_at) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.order_test_id, NEW.revision, NEW.value, NEW.is_detected, NEW.unit, NEW.cut_off, NEW.detection_window, NEW.comment, NEW.reason_code, NEW.reason, NEW.explanation, NEW.entered_by, NEW.entered_at, NEW.released_by, NEW.released_by_name, NEW.released_at)) EXECUTE FUNCTION reject_change();
DROP POLICY as_client_insert ON culture_findings;
DROP POLICY as_staff_insert ON culture_findings;
DROP POLICY as_worker_insert ON culture_findings;
CREATE POLICY as_client_insert ON culture_findings FOR INSERT TO as_client WITH CHECK ((EXISTS (SELECT 1 FROM cultures c WHERE c.id = culture_id AND c.released_at IS NULL)) AND ((SELECT current_setting('app.act', true)) = 'enter-results' AND EXISTS (SELECT 1 FROM cultures p WHERE p.id = culture_findings.culture_id)));
CREATE POLICY as_staff_insert ON culture_findings FOR INSERT TO as_staff WITH CHECK ((EXISTS (SELECT 1 FROM cultures c WHERE c.id = culture_id AND c.released_at IS NULL)) AND (true));
CREATE POLICY as_worker_insert ON culture_findings FOR INSERT TO as_worker WITH CHECK ((EXISTS (SELECT 1 FROM cultures c WHERE c.id = culture_id AND c.released_at IS NULL)) AND (true));
DROP POLICY as_client_insert ON culture_organisms;
DROP POLICY as_staff_insert ON culture_organisms;
DROP POLICY as_worker_insert ON culture_organisms;
CREATE POLICY as_client_insert ON culture_organisms FOR INSERT TO as_client WITH CHECK ((EXISTS (SELECT 1 FROM cultures c WHERE c.id = culture_id AND c.released_at IS NULL)) AND ((SELECT current_setting('app.act', true)) = 'enter-results' AND EXISTS (SELECT 1 FROM cultures p WHERE p.id = culture_organisms.culture_id)));
CREATE POLICY as_staff_insert ON culture_organisms FOR INSERT TO as_staff WITH CHECK ((EXISTS (SELECT 1 FROM cultures c WHERE c.id = culture_id AND c.released_at IS NULL)) AND (true));
CREATE POLICY as_worker_insert ON culture_organisms FOR INSERT TO as_worker WITH CHECK ((EXISTS (SELECT 1 FROM cultures c WHERE c.id = culture_id AND c.released_at IS NULL)) AND (true));
DROP POLICY as_client_insert ON culture_susceptibilities;
DROP POLICY as_staff_insert ON culture_susceptibilities;
DROP POLICY as_worker_insert ON culture_susceptibilities;
CREATE POLICY as_client_insert ON culture_susceptibilities FOR INSERT TO as_client WITH CHECK ((EXISTS (SELECT 1 FROM cultures c WHERE c.id = culture_id AND c.released_at IS NULL)) AND ((SELECT current_setting('app.act', true)) = 'enter-results' AND EXISTS (SELECT 1 FROM cultures p WHERE p.id = culture_susceptibilities.culture_id)));
CREATE POLICY as_staff_insert ON culture_susceptibilities FOR INSERT TO as_staff WITH CHECK ((EXISTS (SELECT 1 FROM cultures c WHERE c.id = culture_id AND c.released_at IS NULL)) AND (true));
CREATE POLICY as_worker_insert ON culture_susceptibilities FOR INSERT TO as_worker WITH CHECK ((EXISTS (SELECT 1 FROM cultures c WHERE c.id = culture_id AND c.released_at IS NULL)) AND (true));
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
