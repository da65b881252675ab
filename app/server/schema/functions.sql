-- What the models can not declare: questions that cross scopes, the triggers that run with their
-- owner's rights, and who may draw numbers. All of it is here, as it is today; no revision reads
-- this file. `make revision` copies each numbered part that changed into the new revision.

-- 1. Numbers of records
GRANT USAGE ON SEQUENCE patient_codes, requisition_codes TO as_staff, as_client, as_worker;
-- A write that answers without reading again takes the ids of its rows before it writes them.
GRANT USAGE ON SEQUENCE requisitions_id_seq, requisition_tests_id_seq, requisition_insurance_id_seq
    TO as_staff, as_client, as_worker;
GRANT USAGE ON SEQUENCE orders_id_seq, order_tests_id_seq, results_id_seq TO as_staff, as_worker;

-- 2. Whether a social security number is in use
-- It answers this one fact. It runs with the rights of the tables' owner, so row-level security
-- does not narrow it.
CREATE OR REPLACE FUNCTION ssn_in_use(wanted bytea, except_patient bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT 1 FROM patients
        WHERE ssn_hash = wanted AND id IS DISTINCT FROM except_patient
    )
$$;
REVOKE ALL ON FUNCTION ssn_in_use(bytea, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ssn_in_use(bytea, bigint) TO as_staff, as_client;

-- 3. Who a user is, in words
-- Accounts are the gatekeeper's alone; whoever may see what somebody did may see that person's
-- name and nothing else of the account.
CREATE OR REPLACE FUNCTION name_of_user(wanted uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT nullif(btrim(concat_ws(' ', first_name, last_name)), '') FROM users WHERE id = wanted
$$;
REVOKE ALL ON FUNCTION name_of_user(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION name_of_user(uuid) TO as_staff, as_client, as_physician;

-- 4. Live changes
-- A new version of a watched record is noted in the transaction that makes it, whoever makes it.
-- The function runs with its owner's rights: nobody else may write into the stream.
CREATE OR REPLACE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
    INSERT INTO public.changes (kind, record_id, version, client_id, physician_id, patient_id)
    VALUES (TG_ARGV[0], NEW.id, NEW.version, NEW.client_id, NEW.physician_id, NEW.patient_id);
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION note_change() FROM PUBLIC;
CREATE OR REPLACE TRIGGER requisition_made AFTER INSERT ON requisitions
    FOR EACH ROW EXECUTE FUNCTION note_change('requisition');
CREATE OR REPLACE TRIGGER requisition_changed AFTER UPDATE ON requisitions
    FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION note_change('requisition');
CREATE OR REPLACE TRIGGER order_made AFTER INSERT ON orders
    FOR EACH ROW EXECUTE FUNCTION note_change('order');
CREATE OR REPLACE TRIGGER order_changed AFTER UPDATE ON orders
    FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION note_change('order');

-- 5. Names of patients
-- Every name that a patient has, or a requisition says, is told once in patient_names, in the
-- transaction that writes it. Always in the order of the names: whoever waits for another's new
-- name is not waited for. The function runs with its owner's rights: nobody else may write there.
CREATE OR REPLACE FUNCTION keep_names() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        EXECUTE format(
            'INSERT INTO public.patient_names (name)'
            ' SELECT DISTINCT n FROM made, unnest(ARRAY[made.%I, made.%I]) n ORDER BY n'
            ' ON CONFLICT DO NOTHING',
            TG_ARGV[0], TG_ARGV[1]
        );
    ELSE
        INSERT INTO public.patient_names (name)
        SELECT DISTINCT to_jsonb(NEW) ->> field AS n FROM unnest(TG_ARGV) field ORDER BY n
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION keep_names() FROM PUBLIC;
CREATE OR REPLACE TRIGGER patient_named AFTER INSERT ON patients REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION keep_names('last_name', 'first_name');
CREATE OR REPLACE TRIGGER patient_renamed AFTER UPDATE OF last_name, first_name ON patients
    FOR EACH ROW WHEN ((NEW.last_name, NEW.first_name) <> (OLD.last_name, OLD.first_name))
    EXECUTE FUNCTION keep_names('last_name', 'first_name');
CREATE OR REPLACE TRIGGER requisition_named AFTER INSERT ON requisitions
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT
    EXECUTE FUNCTION keep_names('patient_last_name', 'patient_first_name');
CREATE OR REPLACE TRIGGER requisition_renamed
    AFTER UPDATE OF patient_last_name, patient_first_name ON requisitions FOR EACH ROW
    WHEN ((NEW.patient_last_name, NEW.patient_first_name)
        <> (OLD.patient_last_name, OLD.patient_first_name))
    EXECUTE FUNCTION keep_names('patient_last_name', 'patient_first_name');

-- 6. Putting a job in
-- Everybody may put one in, through this function alone; it answers the job's number.
CREATE OR REPLACE FUNCTION jobs.defer_job(task text, arguments jsonb, due timestamptz)
RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = jobs, pg_catalog, pg_temp AS $$
    SELECT (procrastinate_defer_jobs_v1(ARRAY[
        ROW('portal', task, 0, NULL, NULL, arguments, due)::procrastinate_job_to_defer_v1
    ]))[1]
$$;
REVOKE ALL ON FUNCTION jobs.defer_job(text, jsonb, timestamptz) FROM PUBLIC;
GRANT USAGE ON SCHEMA jobs TO as_staff, as_client, as_physician, as_patient, as_worker;
GRANT EXECUTE ON FUNCTION jobs.defer_job(text, jsonb, timestamptz)
    TO as_staff, as_client, as_physician, as_patient, as_worker;

-- 7. The code of a patient
-- Whoever may see a requisition or an order must be able to say whose it is, also after the
-- patient left that person's scope. The record has a snapshot of all but the code, and this
-- function answers the code and nothing else of the patient.
CREATE OR REPLACE FUNCTION code_of_patient(wanted bigint) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT code FROM patients WHERE id = wanted
$$;
REVOKE ALL ON FUNCTION code_of_patient(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION code_of_patient(bigint) TO as_staff, as_client, as_physician, as_patient;

-- 8. Who made the current version of a requisition
-- Whatever changes it: a save, a signature, the lab. Who saved an older one is told the name.
CREATE OR REPLACE FUNCTION note_changer() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public AS $$
BEGIN
    NEW.changed_by := nullif(current_setting('app.user', true), '')::uuid;
    RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER requisition_changed_by BEFORE UPDATE ON requisitions
    FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION note_changer();
