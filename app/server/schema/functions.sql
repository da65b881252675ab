-- What the models cannot declare: questions across scopes, triggers that run with their owner's
-- rights, and grants on sequences. No revision reads this file. `make revision` copies each
-- numbered part that changed into the new revision; a comment alone is no change.

-- 1. Numbers of records
GRANT USAGE ON SEQUENCE patient_codes, requisition_codes TO as_staff, as_client, as_worker;
-- A write that answers without a second read fetches the ids of its rows before it inserts them.
GRANT USAGE ON SEQUENCE requisitions_id_seq, requisition_tests_id_seq, requisition_insurance_id_seq
    TO as_staff, as_client, as_worker;
GRANT USAGE ON SEQUENCE orders_id_seq, order_tests_id_seq, results_id_seq TO as_staff, as_worker;

-- 2. Whether a social security number is in use
-- The function answers this fact only. It runs with the rights of the tables' owner, so row-level
-- security does not restrict it.
CREATE OR REPLACE FUNCTION ssn_in_use(wanted bytea, except_patient bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT 1 FROM patients
        WHERE ssn_hash = wanted AND id IS DISTINCT FROM except_patient
    )
$$;
REVOKE ALL ON FUNCTION ssn_in_use(bytea, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ssn_in_use(bytea, bigint) TO as_staff, as_client;

-- 3. The name of a user
-- Only sign-in reads accounts. People who may see what a user did may see the user's name, and
-- nothing else of the account.
CREATE OR REPLACE FUNCTION name_of_user(wanted uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT nullif(btrim(concat_ws(' ', first_name, last_name)), '') FROM users WHERE id = wanted
$$;
REVOKE ALL ON FUNCTION name_of_user(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION name_of_user(uuid) TO as_staff, as_client, as_physician;

-- 4. Live changes
-- The transaction that makes a new version of a watched record also notes it. The function runs
-- with its owner's rights, because nobody else may write into the stream.
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
    FOR EACH ROW WHEN (
        NEW.version <> OLD.version OR NEW.acknowledged_at IS DISTINCT FROM OLD.acknowledged_at
    ) EXECUTE FUNCTION note_change('order');

-- 5. Names of patients
-- Each name of a patient or in a requisition's snapshot is stored once in patient_names, by the
-- transaction that writes it. Names are inserted in sorted order, so that two transactions cannot
-- wait for each other. The function runs with its owner's rights: nobody else may write there.
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

-- 6. Adding a job
-- Every role may add a job, only through this function. It returns the job's number.
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
-- People who may see a requisition or an order may know its patient's code, also after the patient
-- left their scope. The record's snapshot has all but the code. The function answers nothing else.
CREATE OR REPLACE FUNCTION code_of_patient(requested_id bigint) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT code FROM patients WHERE id = requested_id
$$;
REVOKE ALL ON FUNCTION code_of_patient(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION code_of_patient(bigint) TO as_staff, as_client, as_physician, as_patient;

-- 8. Who made the current version of a requisition
-- A save, a signature, or a receipt made it. A person who saves an older version reads the name.
CREATE OR REPLACE FUNCTION note_changer() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public AS $$
BEGIN
    NEW.changed_by := nullif(current_setting('app.user', true), '')::uuid;
    RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER requisition_changed_by BEFORE UPDATE ON requisitions
    FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION note_changer();

-- 9. Acknowledged orders
-- An acknowledgment marks its order as read, unless the results have changed since the person saw
-- them. Only a physician's marks it as read for physicians. The function runs with its owner's
-- rights, because physicians cannot write orders.
CREATE OR REPLACE FUNCTION mark_acknowledged() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
DECLARE
    changed bigint;
BEGIN
    SELECT o.shown_version INTO changed FROM public.orders o
    WHERE o.id = NEW.order_id FOR NO KEY UPDATE;
    IF changed > NEW.version THEN
        NEW.reopened_at := NEW.acknowledged_at;
        RETURN NEW;
    END IF;
    UPDATE public.orders o SET is_unread = false,
        is_unread_by_physician = o.is_unread_by_physician AND NOT NEW.by_physician,
        acknowledged_at = NEW.acknowledged_at, acknowledged_by_name = NEW.user_name
    WHERE o.id = NEW.order_id;
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION mark_acknowledged() FROM PUBLIC;
CREATE OR REPLACE TRIGGER order_acknowledged BEFORE INSERT ON order_acknowledgments
    FOR EACH ROW EXECUTE FUNCTION mark_acknowledged();

-- 10. Orders with missing information
-- Filling in what an order lacks changes its physician, comment, and mark. The function runs with
-- its owner's rights, because people outside the lab cannot write orders.
CREATE OR REPLACE FUNCTION complete_order() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
    UPDATE public.orders o SET physician_id = NEW.physician_id, billing_comment = NEW.comment,
        lacks_info = NEW.lacks_info, version = o.version + 1
    WHERE o.id = NEW.order_id;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION complete_order() FROM PUBLIC;
CREATE OR REPLACE TRIGGER order_completed AFTER INSERT ON order_completions
    FOR EACH ROW EXECUTE FUNCTION complete_order();

-- 11. Locked rows
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

-- 12. Who may read a private test
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

-- 13. Roles and scopes of users
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

-- 14. Quotas
-- Each subject (a person or an address) may make a burst of calls, and then one after every so many
-- seconds. A call that one of its subjects may not make counts for none. The function returns the
-- seconds to wait, 0 if the call is allowed.
CREATE OR REPLACE FUNCTION use_quota(
    used_quota text, subjects bytea[], bursts float8[], seconds float8[]
) RETURNS float8 LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    wait float8;
    called_at timestamptz;
BEGIN
    INSERT INTO quota_counts (quota, subject, free_at)
    SELECT used_quota, s, clock_timestamp() FROM unnest(subjects) s ORDER BY s
    ON CONFLICT DO NOTHING;
    PERFORM 1 FROM quota_counts c WHERE c.quota = used_quota AND c.subject = ANY(subjects)
    ORDER BY c.subject FOR UPDATE;
    called_at := clock_timestamp();
    SELECT max(extract(epoch FROM c.free_at - called_at) - (l.burst - 1) * l.second) INTO wait
    FROM quota_counts c JOIN unnest(subjects, bursts, seconds) l (subject, burst, second)
        ON l.subject = c.subject
    WHERE c.quota = used_quota;
    IF wait > 0 THEN
        RETURN wait;
    END IF;
    UPDATE quota_counts c
    SET free_at = greatest(c.free_at, called_at) + l.second * interval '1 second'
    FROM unnest(subjects, seconds) l (subject, second)
    WHERE c.quota = used_quota AND c.subject = l.subject;
    RETURN 0;
END
$$;
REVOKE ALL ON FUNCTION use_quota(text, bytea[], float8[], float8[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION use_quota(text, bytea[], float8[], float8[])
    TO as_staff, as_client, as_physician, as_patient, as_anonymous, as_gatekeeper;
CREATE OR REPLACE FUNCTION return_quota(used_quota text, subjects bytea[], seconds float8[])
RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE quota_counts c SET free_at = c.free_at - l.second * interval '1 second'
    FROM unnest(subjects, seconds) l (subject, second)
    WHERE c.quota = used_quota AND c.subject = l.subject;
    SELECT true
$$;
REVOKE ALL ON FUNCTION return_quota(text, bytea[], float8[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION return_quota(text, bytea[], float8[]) TO as_gatekeeper;
