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
-- The function answers only this question. It runs with the rights of the tables' owner, so row-level
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
-- People who lose a record to another physician, client, or patient also learn that it changed, so
-- that their grids remove its row. Scope columns that stay the same are empty, because note_change
-- informs their people. The row names the former patient, so that pages about them are reloaded.
CREATE OR REPLACE FUNCTION note_departure() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
    INSERT INTO public.changes (kind, record_id, version, client_id, physician_id, patient_id)
    VALUES (TG_ARGV[0], NEW.id, NEW.version, nullif(OLD.client_id, NEW.client_id),
        nullif(OLD.physician_id, NEW.physician_id), OLD.patient_id);
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION note_departure() FROM PUBLIC;
CREATE OR REPLACE TRIGGER requisition_departed AFTER UPDATE ON requisitions
    FOR EACH ROW WHEN (
        NEW.client_id <> OLD.client_id OR NEW.patient_id <> OLD.patient_id OR (
            OLD.physician_id IS NOT NULL AND NEW.physician_id IS DISTINCT FROM OLD.physician_id)
    ) EXECUTE FUNCTION note_departure('requisition');
CREATE OR REPLACE TRIGGER order_departed AFTER UPDATE ON orders
    FOR EACH ROW WHEN (
        NEW.client_id <> OLD.client_id OR NEW.patient_id <> OLD.patient_id OR (
            OLD.physician_id IS NOT NULL AND NEW.physician_id IS DISTINCT FROM OLD.physician_id)
    ) EXECUTE FUNCTION note_departure('order');
-- An order shares the signature of its requisition, and keeps its version when that changes.
CREATE OR REPLACE FUNCTION note_order_signature() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
    INSERT INTO public.changes (kind, record_id, version, client_id, physician_id, patient_id)
    SELECT 'order', o.id, o.version, o.client_id, o.physician_id, o.patient_id
    FROM public.orders o WHERE o.requisition_id = NEW.id;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION note_order_signature() FROM PUBLIC;
CREATE OR REPLACE TRIGGER requisition_signed AFTER UPDATE ON requisitions
    FOR EACH ROW WHEN (NEW.has_signature <> OLD.has_signature)
    EXECUTE FUNCTION note_order_signature();
-- A call about a critical result changes only the notice, and an open order page shows its state.
CREATE OR REPLACE FUNCTION note_critical_notice() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
    INSERT INTO public.changes (kind, record_id, version, client_id, physician_id, patient_id)
    SELECT 'order', o.id, o.version, o.client_id, o.physician_id, o.patient_id
    FROM public.orders o WHERE o.id = NEW.order_id;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION note_critical_notice() FROM PUBLIC;
CREATE OR REPLACE TRIGGER critical_notice_changed AFTER UPDATE ON critical_notices
    FOR EACH ROW WHEN (NEW.version <> OLD.version)
    EXECUTE FUNCTION note_critical_notice();

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
-- A role adds jobs only through this function, and people add only those that their acts need, as
-- the tasks declare (`Task.deferred_by`). It returns the job's number.
CREATE OR REPLACE FUNCTION jobs.defer_job(task text, arguments jsonb, due timestamptz)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = jobs, pg_catalog, pg_temp AS $$
DECLARE
    -- The role that the caller took, not the owner's.
    caller text := current_setting('role');
BEGIN
    IF caller IN ('as_staff', 'as_client', 'as_physician', 'as_patient') AND NOT EXISTS (
        SELECT FROM (VALUES
            ('transmissions.deliver', ARRAY['as_staff', 'as_client', 'as_physician', 'as_patient']),
            ('exports.run', ARRAY['as_staff', 'as_client', 'as_physician']),
            ('orders.send-copies', ARRAY['as_staff']),
            ('specimens.tell-client', ARRAY['as_staff'])
        ) AS allowed(name, roles)
        WHERE allowed.name = defer_job.task AND caller = ANY(allowed.roles)
    ) THEN
        RAISE EXCEPTION 'this role does not add jobs of this task'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN (procrastinate_defer_jobs_v1(ARRAY[
        ROW('portal', task, 0, NULL, NULL, arguments, due)::procrastinate_job_to_defer_v1
    ]))[1];
END
$$;
REVOKE ALL ON FUNCTION jobs.defer_job(text, jsonb, timestamptz) FROM PUBLIC;
GRANT USAGE ON SCHEMA jobs TO as_staff, as_client, as_physician, as_patient, as_worker;
GRANT EXECUTE ON FUNCTION jobs.defer_job(text, jsonb, timestamptz)
    TO as_staff, as_client, as_physician, as_patient, as_worker;

-- 7. The code of a patient
-- People who may see a requisition or an order may know its patient's code, also after the patient
-- left their scope. The record's snapshot has all but the code. The function answers nothing else.
CREATE OR REPLACE FUNCTION code_of_patient(requested_id bigint) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    -- The role that the caller took, not the owner's.
    caller text := current_setting('role');
    ids bigint[] := nullif(current_setting('app.ids', true), '')::bigint[];
    found record;
BEGIN
    SELECT p.code, p.client_id INTO found FROM patients p WHERE p.id = requested_id;
    IF caller NOT IN ('as_client', 'as_physician', 'as_patient')
        OR caller = 'as_client' AND found.client_id = ANY(ids)
        OR caller = 'as_patient' AND requested_id = ANY(ids)
        OR EXISTS (
            SELECT 1 FROM requisitions r WHERE r.patient_id = requested_id AND (
                caller = 'as_client' AND r.client_id = ANY(ids)
                OR caller = 'as_physician' AND r.physician_id = ANY(ids)))
        OR EXISTS (
            SELECT 1 FROM orders o WHERE o.patient_id = requested_id AND (
                caller = 'as_client' AND o.client_id = ANY(ids)
                OR caller = 'as_physician' AND o.physician_id = ANY(ids)))
    THEN
        RETURN found.code;
    END IF;
    RETURN NULL;
END
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
-- Filling in what an order lacks changes its physician, comment, and mark, and an empty birth date.
-- A new physician has not read the released results, even if another one acknowledged them. The
-- function runs with its owner's rights, because people outside the lab cannot write orders.
CREATE OR REPLACE FUNCTION complete_order() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
    UPDATE public.orders o SET physician_id = NEW.physician_id, billing_comment = NEW.comment,
        patient_birth_date = coalesce(o.patient_birth_date, NEW.birth_date),
        lacks_info = NEW.lacks_info, version = o.version + 1,
        is_unread_by_physician = o.is_unread_by_physician OR (
            NEW.physician_id IS DISTINCT FROM o.physician_id AND o.status IN (4, 8, 16, 64))
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
-- Client Basic and Patient, and adds and removes only what is within that admin's clients; other
-- assignments of the person stay. Nobody changes their own access. A role keeps only the ids of its
-- kind (P 5). Somebody who loses a role or an assignment is signed out.
-- The administrator who acts, if the actor is one.
CREATE OR REPLACE FUNCTION find_administrator(OUT role text, OUT client_ids bigint[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT d.role, d.client_ids FROM user_directory d
    WHERE d.id = nullif(current_setting('app.user', true), '')::uuid AND d.active
        AND d.role IN ('Superuser', 'Client Admin')
$$;
REVOKE ALL ON FUNCTION find_administrator() FROM PUBLIC;
CREATE OR REPLACE FUNCTION is_user_administrator() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT a.role IS NOT NULL FROM find_administrator() a
$$;
REVOKE ALL ON FUNCTION is_user_administrator() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_user_administrator() TO as_staff, as_client;
-- The clients whose administrators see a person with these assignments; 0 for an assignment that
-- belongs to no client.
CREATE OR REPLACE FUNCTION list_admin_clients(
    clients bigint[], physicians bigint[], patients bigint[]
) RETURNS bigint[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT ARRAY(
        SELECT unnest(clients)
        UNION SELECT 0 FROM unnest(physicians)
        UNION SELECT coalesce((SELECT t.client_id FROM patients t WHERE t.id = p.id), 0)
        FROM unnest(patients) p (id)
        ORDER BY 1)
$$;
REVOKE ALL ON FUNCTION list_admin_clients(bigint[], bigint[], bigint[]) FROM PUBLIC;
CREATE OR REPLACE FUNCTION subtract_ids(ids bigint[], without bigint[]) RETURNS bigint[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT ARRAY(SELECT unnest(ids) EXCEPT SELECT unnest(without))
$$;
-- Locks the actor and a person, always in the same order, so that neither changes meanwhile.
CREATE OR REPLACE FUNCTION lock_user(wanted uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT FROM users u
    WHERE u.id IN (wanted, nullif(current_setting('app.user', true), '')::uuid)
    ORDER BY u.id FOR NO KEY UPDATE
$$;
REVOKE ALL ON FUNCTION lock_user(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_user(uuid) TO as_staff, as_client;
CREATE OR REPLACE FUNCTION end_user_sessions(wanted uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE user_sessions SET ended_at = clock_timestamp()
    WHERE user_id = wanted AND ended_at IS NULL
$$;
REVOKE ALL ON FUNCTION end_user_sessions(uuid) FROM PUBLIC;
CREATE OR REPLACE FUNCTION change_access(
    wanted uuid, new_role text, clients bigint[], physicians bigint[], patients bigint[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    actor uuid := nullif(current_setting('app.user', true), '')::uuid;
    given_roles constant text[] := ARRAY['Client Basic', 'Patient'];
    new_clients bigint[] := '{}';
    new_physicians bigint[] := '{}';
    new_patients bigint[] := '{}';
    admin record;
    old record;
    removed bigint[];
BEGIN
    PERFORM lock_user(wanted);
    -- A patient who moves to another client meanwhile waits.
    PERFORM 1 FROM patients t WHERE t.id = ANY(patients) ORDER BY t.id FOR SHARE;
    SELECT a.role, a.client_ids INTO admin FROM find_administrator() a;
    SELECT u.client_ids, u.physician_ids, u.patient_ids, r.roles INTO old
    FROM users u LEFT JOIN LATERAL (
        SELECT array_agg(role) AS roles FROM registrations g, unnest(g.roles) role
        WHERE g.user_id = u.id) r ON true
    WHERE u.id = wanted AND u.deleted_at IS NULL;
    IF new_role IN ('Client Admin', 'Client Basic') THEN
        new_clients := clients;
    ELSIF new_role = 'Physician' THEN
        new_physicians := physicians;
    ELSIF new_role = 'Patient' THEN
        new_patients := patients;
    END IF;
    removed := list_admin_clients(
        subtract_ids(old.client_ids, new_clients),
        subtract_ids(old.physician_ids, new_physicians),
        subtract_ids(old.patient_ids, new_patients));
    IF old IS NULL OR actor = wanted OR NOT (
        coalesce(admin.role = 'Superuser', false)
        OR coalesce(admin.role = 'Client Admin' AND new_role = ANY(given_roles), false)
            AND list_admin_clients(
                subtract_ids(clients, old.client_ids),
                subtract_ids(physicians, old.physician_ids),
                subtract_ids(patients, old.patient_ids)) <@ admin.client_ids
            AND removed <@ admin.client_ids
            -- Somebody without a role was created by this transaction.
            AND (old.roles IS NULL OR old.roles <@ given_roles
                AND list_admin_clients(old.client_ids, old.physician_ids, old.patient_ids)
                    && admin.client_ids)
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
    UPDATE users SET version = version + 1, client_ids = new_clients,
        physician_ids = new_physicians, patient_ids = new_patients
    WHERE id = wanted;
    IF old.roles IS DISTINCT FROM ARRAY[new_role] OR cardinality(removed) > 0 THEN
        PERFORM end_user_sessions(wanted);
    END IF;
END
$$;
REVOKE ALL ON FUNCTION change_access(uuid, text, bigint[], bigint[], bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION change_access(uuid, text, bigint[], bigint[], bigint[])
    TO as_staff, as_client;

-- 14. Quotas
-- Each subject (a person or an address) may make a burst of calls, and then one call in so many
-- seconds. A call over the limit of one subject is counted for no subject. The function returns the
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

-- 15. The directory of users
-- Administrators read users there, without their passwords. Triggers, which run with their owner's
-- rights, copy each change of the original tables into it.
CREATE OR REPLACE FUNCTION enter_user(wanted uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DELETE FROM user_directory d WHERE d.id = wanted AND NOT EXISTS (
        SELECT 1 FROM users u WHERE u.id = wanted AND u.deleted_at IS NULL);
    INSERT INTO user_directory (
        id, email, username, last_name, first_name, role, active, client_ids, physician_ids,
        patient_ids, admin_client_ids, last_login_at, version)
    SELECT u.id, u.email, u.username, upper(u.last_name), upper(u.first_name), r.roles[1],
        u.active, u.client_ids, u.physician_ids, u.patient_ids,
        list_admin_clients(u.client_ids, u.physician_ids, u.patient_ids), u.last_login_at,
        u.version
    FROM users u JOIN LATERAL (
        SELECT g.roles FROM registrations g WHERE g.user_id = u.id ORDER BY g.id LIMIT 1
    ) r ON r.roles <> '{}'
    WHERE u.id = wanted AND u.deleted_at IS NULL
    ON CONFLICT (id) DO UPDATE SET email = excluded.email, username = excluded.username,
        last_name = excluded.last_name, first_name = excluded.first_name, role = excluded.role,
        active = excluded.active, client_ids = excluded.client_ids,
        physician_ids = excluded.physician_ids, patient_ids = excluded.patient_ids,
        admin_client_ids = excluded.admin_client_ids, last_login_at = excluded.last_login_at,
        version = excluded.version
$$;
REVOKE ALL ON FUNCTION enter_user(uuid) FROM PUBLIC;
CREATE OR REPLACE FUNCTION enter_changed_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM public.enter_user(OLD.id);
    ELSE
        PERFORM public.enter_user(NEW.id);
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION enter_changed_user() FROM PUBLIC;
CREATE OR REPLACE FUNCTION enter_registered_user() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    PERFORM public.enter_user(NEW.user_id);
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION enter_registered_user() FROM PUBLIC;
CREATE OR REPLACE FUNCTION enter_users_of_patient() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    PERFORM public.enter_user(d.id) FROM public.user_directory d
    WHERE d.patient_ids @> ARRAY[NEW.id];
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION enter_users_of_patient() FROM PUBLIC;
CREATE OR REPLACE TRIGGER user_changed AFTER INSERT OR DELETE OR UPDATE ON users
    FOR EACH ROW EXECUTE FUNCTION enter_changed_user();
CREATE OR REPLACE TRIGGER user_registered AFTER INSERT OR UPDATE ON registrations
    FOR EACH ROW EXECUTE FUNCTION enter_registered_user();
CREATE OR REPLACE TRIGGER patient_moved AFTER UPDATE OF client_id ON patients
    FOR EACH ROW WHEN (NEW.client_id IS DISTINCT FROM OLD.client_id)
    EXECUTE FUNCTION enter_users_of_patient();

-- 16. Administration of users
-- Nobody else creates, renames, invites, and deletes users. A Client Admin does it with people of
-- the roles Client Basic and Patient; an e-mail address, an invitation, and a deletion only where
-- every assignment is within that admin's clients.
CREATE OR REPLACE FUNCTION require_administrator(wanted uuid, entirely boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    admin record;
BEGIN
    PERFORM lock_user(wanted);
    SELECT a.role, a.client_ids INTO admin FROM find_administrator() a;
    IF NOT EXISTS (
        SELECT 1 FROM user_directory d WHERE d.id = wanted AND (
            admin.role = 'Superuser'
            OR admin.role = 'Client Admin' AND d.role IN ('Client Basic', 'Patient')
                AND d.admin_client_ids && admin.client_ids
                AND (NOT entirely OR d.admin_client_ids <@ admin.client_ids))
    ) THEN
        RAISE EXCEPTION 'this actor may not administer this user'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
END
$$;
REVOKE ALL ON FUNCTION require_administrator(uuid, boolean) FROM PUBLIC;
CREATE OR REPLACE FUNCTION is_email_in_use(wanted text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM users WHERE email = wanted)
$$;
REVOKE ALL ON FUNCTION is_email_in_use(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_email_in_use(text) TO as_staff, as_client;
-- A new user has no password until the link of the invitation has been used.
CREATE OR REPLACE FUNCTION add_user(
    new_email text, new_username text, new_last_name text, new_first_name text
) RETURNS uuid LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    INSERT INTO users (email, username, password_hash, last_name, first_name)
    VALUES (new_email, new_username, '!', new_last_name, new_first_name) RETURNING id
$$;
REVOKE ALL ON FUNCTION add_user(text, text, text, text) FROM PUBLIC;
CREATE OR REPLACE FUNCTION add_invitation(wanted uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    INSERT INTO password_recoveries (user_id, key, is_invitation, next_try_at)
    VALUES (wanted, gen_random_uuid(), true, clock_timestamp())
$$;
REVOKE ALL ON FUNCTION add_invitation(uuid) FROM PUBLIC;
CREATE OR REPLACE FUNCTION create_user(
    new_email text, new_username text, new_last_name text, new_first_name text, new_role text,
    clients bigint[], physicians bigint[], patients bigint[]
) RETURNS uuid LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    made uuid := add_user(new_email, new_username, new_last_name, new_first_name);
BEGIN
    PERFORM change_access(made, new_role, clients, physicians, patients);
    PERFORM add_invitation(made);
    RETURN made;
END
$$;
REVOKE ALL ON FUNCTION
    create_user(text, text, text, text, text, bigint[], bigint[], bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    create_user(text, text, text, text, text, bigint[], bigint[], bigint[]) TO as_staff, as_client;
CREATE OR REPLACE FUNCTION end_links(wanted uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE password_recoveries SET used_at = clock_timestamp(), next_try_at = NULL
    WHERE user_id = wanted AND used_at IS NULL
$$;
REVOKE ALL ON FUNCTION end_links(uuid) FROM PUBLIC;
CREATE OR REPLACE FUNCTION change_user(
    wanted uuid, new_email text, new_last_name text, new_first_name text, new_active boolean
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    actor uuid := nullif(current_setting('app.user', true), '')::uuid;
    old record;
    is_identity boolean;
BEGIN
    PERFORM lock_user(wanted);
    SELECT u.email, u.active INTO old FROM users u WHERE u.id = wanted;
    is_identity := (old.email, old.active) IS DISTINCT FROM (new_email, new_active);
    IF actor = wanted AND is_identity THEN
        RAISE EXCEPTION 'nobody changes their e-mail address here'
            USING ERRCODE = 'insufficient_privilege';
    ELSIF actor IS DISTINCT FROM wanted THEN
        PERFORM require_administrator(wanted, is_identity);
    END IF;
    UPDATE users SET email = new_email, last_name = new_last_name, first_name = new_first_name,
        active = new_active, version = version + 1
    WHERE id = wanted;
    IF is_identity THEN
        PERFORM end_links(wanted);
        IF NOT new_active THEN
            PERFORM end_user_sessions(wanted);
        END IF;
    END IF;
END
$$;
REVOKE ALL ON FUNCTION change_user(uuid, text, text, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION change_user(uuid, text, text, text, boolean) TO as_staff, as_client;
CREATE OR REPLACE FUNCTION invite_user(wanted uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM require_administrator(wanted, true);
    PERFORM end_links(wanted);
    PERFORM add_invitation(wanted);
END
$$;
REVOKE ALL ON FUNCTION invite_user(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION invite_user(uuid) TO as_staff, as_client;
-- The row stays, because the history names it. The e-mail address may be used again.
CREATE OR REPLACE FUNCTION delete_user(wanted uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF wanted IS NOT DISTINCT FROM nullif(current_setting('app.user', true), '')::uuid THEN
        RAISE EXCEPTION 'nobody deletes themselves' USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM require_administrator(wanted, true);
    UPDATE users SET active = false, deleted_at = clock_timestamp(), password_hash = '!',
        email = 'deleted-' || id, username = 'deleted-' || id, version = version + 1
    WHERE id = wanted;
    PERFORM end_user_sessions(wanted);
    PERFORM end_links(wanted);
    DELETE FROM known_devices WHERE user_id = wanted;
END
$$;
REVOKE ALL ON FUNCTION delete_user(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION delete_user(uuid) TO as_staff, as_client;
-- What a user of the directory is assigned to. A Client Admin knows the names of other clients on
-- the list, but nothing about their patients.
CREATE OR REPLACE FUNCTION assignments_of_user(wanted uuid) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    admin record;
    entry record;
BEGIN
    SELECT a.role, a.client_ids INTO admin FROM find_administrator() a;
    SELECT d.client_ids, d.physician_ids, d.patient_ids INTO entry FROM user_directory d
    WHERE d.id = wanted AND (admin.role = 'Superuser'
        OR admin.role = 'Client Admin' AND d.admin_client_ids && admin.client_ids);
    RETURN jsonb_build_object(
        'clients', (SELECT jsonb_agg(jsonb_build_object('id', c.id, 'code', c.code, 'name', c.name,
                'isLocked', admin.role <> 'Superuser' AND NOT c.id = ANY(admin.client_ids))
                ORDER BY c.code)
            FROM clients c WHERE c.id = ANY(entry.client_ids)),
        'physicians', (SELECT jsonb_agg(jsonb_build_object('id', p.id, 'npi', p.npi,
                'lastName', p.last_name, 'firstName', p.first_name,
                'isLocked', admin.role <> 'Superuser')
                ORDER BY p.last_name, p.first_name, p.id)
            FROM physicians p WHERE p.id = ANY(entry.physician_ids)),
        'patients', (SELECT jsonb_agg(CASE
                WHEN admin.role = 'Superuser' OR t.client_id = ANY(admin.client_ids)
                THEN jsonb_build_object('id', t.id, 'code', t.code, 'lastName', t.last_name,
                    'firstName', t.first_name, 'birthDate', t.birth_date, 'isLocked', false)
                ELSE jsonb_build_object('id', t.id, 'isLocked', true) END
                ORDER BY t.last_name, t.first_name, t.id)
            FROM patients t WHERE t.id = ANY(entry.patient_ids)));
END
$$;
REVOKE ALL ON FUNCTION assignments_of_user(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION assignments_of_user(uuid) TO as_staff, as_client;

-- 17. Sign-up of patients
-- Somebody who knows a patient's names, birth date, and code gets an account. A job notifies the
-- address on the patient's record. The answer has the matching patient and the new user. If a
-- patient matches but there is no new user, the e-mail address is in use.
CREATE OR REPLACE FUNCTION sign_up_patient(
    last text, first text, born date, patient_code text, new_email text, new_username text
) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    patient bigint;
    made uuid;
BEGIN
    SELECT p.id INTO patient FROM patients p
    WHERE p.code = patient_code AND p.last_name = last AND p.first_name = first
        AND p.birth_date = born
    FOR SHARE;
    IF patient IS NULL OR is_email_in_use(new_email) THEN
        RETURN jsonb_build_object('patient', patient, 'user', NULL);
    END IF;
    made := add_user(new_email, new_username, last, first);
    UPDATE users SET patient_ids = ARRAY[patient] WHERE id = made;
    INSERT INTO registrations (user_id, application_id, roles)
    VALUES (made, 'portal', ARRAY['Patient']);
    PERFORM add_invitation(made);
    PERFORM jobs.defer_job(
        'users.tell_sign_up',
        jsonb_build_object('patient_id', patient, 'user_id', made),
        clock_timestamp());
    RETURN jsonb_build_object('patient', patient, 'user', made);
END
$$;
REVOKE ALL ON FUNCTION sign_up_patient(text, text, date, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sign_up_patient(text, text, date, text, text, text) TO as_gatekeeper;

-- 18. Old audit rows
-- The worker seals rows, so it reads the last id that was assigned. Only this function deletes audit
-- rows: all rows of a seal, if all of them are older than six years.
GRANT SELECT ON SEQUENCE audit_events_id_seq TO as_worker;
CREATE OR REPLACE FUNCTION remove_sealed_events(wanted bigint, proof bytea) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    span record;
    removed bigint;
BEGIN
    SELECT s.first_id, s.last_id INTO span FROM audit_seals s
    WHERE s.id = wanted AND s.removed_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND OR EXISTS (
        SELECT 1 FROM audit_events e WHERE e.id BETWEEN span.first_id AND span.last_id
            AND e.at >= now() - interval '6 years'
    ) THEN
        RAISE EXCEPTION 'only old, sealed rows are removed'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    DELETE FROM audit_events e WHERE e.id BETWEEN span.first_id AND span.last_id;
    GET DIAGNOSTICS removed = ROW_COUNT;
    UPDATE audit_seals s SET removed_at = clock_timestamp(), removal = proof WHERE s.id = wanted;
    RETURN removed;
END
$$;
REVOKE ALL ON FUNCTION remove_sealed_events(bigint, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remove_sealed_events(bigint, bytea) TO as_worker;

-- 19. Operations
-- The revision of the schema, and what a Superuser does with jobs. The two functions on jobs return
-- the task of the job, or null if it is in another state.
CREATE OR REPLACE FUNCTION schema_revision() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT version_num FROM alembic_version);
END
$$;
REVOKE ALL ON FUNCTION schema_revision() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION schema_revision() TO as_worker;
CREATE OR REPLACE FUNCTION require_superuser() RETURNS void
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF (SELECT a.role FROM find_administrator() a) IS DISTINCT FROM 'Superuser' THEN
        RAISE EXCEPTION 'only a Superuser does this' USING ERRCODE = 'insufficient_privilege';
    END IF;
END
$$;
REVOKE ALL ON FUNCTION require_superuser() FROM PUBLIC;
CREATE OR REPLACE FUNCTION jobs.retry_failed_job(wanted bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = jobs, public, pg_temp AS $$
DECLARE
    task text;
BEGIN
    PERFORM require_superuser();
    -- A job that failed before and waits for its next try only moves ahead.
    UPDATE procrastinate_jobs j SET scheduled_at = now()
    WHERE j.id = wanted AND j.status = 'todo' AND j.attempts > 0 RETURNING j.task_name INTO task;
    IF task IS NOT NULL THEN
        RETURN task;
    END IF;
    SELECT j.task_name INTO task FROM procrastinate_jobs j
    WHERE j.id = wanted AND j.status = 'failed' FOR UPDATE;
    IF task IS NOT NULL THEN
        PERFORM procrastinate_retry_job_v2(wanted, now(), NULL, NULL, NULL);
    END IF;
    RETURN task;
END
$$;
REVOKE ALL ON FUNCTION jobs.retry_failed_job(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION jobs.retry_failed_job(bigint) TO as_staff;
CREATE OR REPLACE FUNCTION jobs.give_up_job(wanted bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = jobs, public, pg_temp AS $$
DECLARE
    task text;
BEGIN
    PERFORM require_superuser();
    DELETE FROM procrastinate_jobs j WHERE j.id = wanted AND j.status IN ('failed', 'todo')
    RETURNING j.task_name INTO task;
    RETURN task;
END
$$;
REVOKE ALL ON FUNCTION jobs.give_up_job(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION jobs.give_up_job(bigint) TO as_staff;

-- 20. Changes of access
-- Every process that answers requests caches users for a few seconds. It listens here, and forgets a
-- user whose account, role, session, or second factor changed, or all users if the message is empty.
CREATE OR REPLACE FUNCTION note_access() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_notify('access', coalesce(to_jsonb(coalesce(NEW, OLD)) ->> TG_ARGV[0], ''));
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION note_access() FROM PUBLIC;
CREATE OR REPLACE TRIGGER user_access AFTER UPDATE ON users FOR EACH ROW WHEN (
    (OLD.active, OLD.email, OLD.first_name, OLD.last_name)
    IS DISTINCT FROM (NEW.active, NEW.email, NEW.first_name, NEW.last_name)
    OR (OLD.client_ids, OLD.physician_ids, OLD.patient_ids)
    IS DISTINCT FROM (NEW.client_ids, NEW.physician_ids, NEW.patient_ids)
) EXECUTE FUNCTION note_access('id');
CREATE OR REPLACE TRIGGER registration_access AFTER INSERT OR UPDATE OR DELETE ON registrations
    FOR EACH ROW EXECUTE FUNCTION note_access('user_id');
CREATE OR REPLACE TRIGGER session_access AFTER UPDATE ON user_sessions
    FOR EACH ROW WHEN (OLD.ended_at IS DISTINCT FROM NEW.ended_at)
    EXECUTE FUNCTION note_access('user_id');
CREATE OR REPLACE TRIGGER session_removed AFTER DELETE ON user_sessions
    FOR EACH ROW WHEN (OLD.ended_at IS NULL) EXECUTE FUNCTION note_access('user_id');
CREATE OR REPLACE TRIGGER factor_access AFTER INSERT OR UPDATE OR DELETE ON second_factors
    FOR EACH ROW EXECUTE FUNCTION note_access('user_id');
CREATE OR REPLACE TRIGGER sign_in_setting_access AFTER INSERT OR UPDATE ON lab_settings
    FOR EACH ROW WHEN (NEW.name = 'sign-in') EXECUTE FUNCTION note_access('nobody');

-- 21. Signatures
-- A requisition counts as signed while it has a signature that nobody has ended.
CREATE OR REPLACE FUNCTION is_signed(wanted bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT 1 FROM requisition_signatures s
        WHERE s.requisition_id = wanted AND s.removed_at IS NULL
    )
$$;
REVOKE ALL ON FUNCTION is_signed(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_signed(bigint)
    TO as_staff, as_client, as_physician, as_patient, as_worker;
-- The lab's wall-clock time of an act. A time outside the transaction, such as that of a clock that
-- is wrong, becomes the transaction's. Two seconds allow for clocks that differ a little. The zone is
-- the lab's choice, or else that of the environment, which each start of the portal stores.
CREATE OR REPLACE FUNCTION settle_lab_time(given timestamp) RETURNS timestamp
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    zone text;
BEGIN
    SELECT coalesce(
        max(nullif(s.value ->> 'name', '')) FILTER (WHERE s.name = 'time-zone'),
        max(s.value ->> 'name') FILTER (WHERE s.name = 'default-time-zone'),
        'UTC') INTO zone
    FROM lab_settings s WHERE s.name IN ('time-zone', 'default-time-zone');
    IF given BETWEEN (now() AT TIME ZONE zone) - interval '2 seconds'
        AND (clock_timestamp() AT TIME ZONE zone) + interval '2 seconds'
    THEN
        RETURN given;
    END IF;
    RETURN date_trunc('second', now() AT TIME ZONE zone);
EXCEPTION WHEN invalid_parameter_value THEN
    -- An earlier release stored a zone that only the portal knows. The work of the lab goes on, and
    -- the time must be the present one somewhere on earth.
    RETURN greatest(least(given, now() AT TIME ZONE 'UTC' + interval '14 hours'),
        now() AT TIME ZONE 'UTC' - interval '12 hours');
END
$$;
REVOKE ALL ON FUNCTION settle_lab_time(timestamp) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION settle_lab_time(timestamp)
    TO as_staff, as_client, as_physician, as_patient, as_worker;
-- The same for a time with a zone.
CREATE OR REPLACE FUNCTION settle_instant(given timestamptz) RETURNS timestamptz
LANGUAGE sql AS $$
    SELECT CASE WHEN given BETWEEN now() - interval '2 seconds'
        AND clock_timestamp() + interval '2 seconds' THEN given ELSE now() END
$$;
-- A new signature gets the name of its account, and the present time. A signature cannot be made or
-- ended when the requisition is canceled, or its order is final or canceled.
CREATE OR REPLACE FUNCTION guard_signature() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
    account record;
BEGIN
    IF EXISTS (
        SELECT 1 FROM requisitions r LEFT JOIN orders o ON o.requisition_id = r.id
        WHERE r.id = NEW.requisition_id AND (r.status = 2 OR o.status IN (16, 32))
    ) THEN
        RAISE EXCEPTION 'the signature of this requisition no longer changes'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF TG_OP = 'UPDATE' THEN
        NEW.removed_at := settle_instant(NEW.removed_at);
        RETURN NEW;
    END IF;
    SELECT coalesce(name_of_user(u.id), u.email) AS name INTO account
    FROM users u WHERE u.id = NEW.user_id;
    IF NOT FOUND OR NEW.removed_at IS NOT NULL THEN
        RAISE EXCEPTION 'a new signature has a known user, and has not ended'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    NEW.user_name := account.name;
    NEW.signed_at := settle_lab_time(NEW.signed_at);
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION guard_signature() FROM PUBLIC;
CREATE OR REPLACE TRIGGER signature_guarded BEFORE INSERT ON requisition_signatures
    FOR EACH ROW WHEN (current_user LIKE 'as\_%') EXECUTE FUNCTION guard_signature();
CREATE OR REPLACE TRIGGER signature_ended BEFORE UPDATE ON requisition_signatures FOR EACH ROW
    WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL AND current_user LIKE 'as\_%')
    EXECUTE FUNCTION guard_signature();
-- At the end of the transaction, a requisition must be marked as signed if it has a signature, and
-- only then.
CREATE OR REPLACE FUNCTION require_signature_mark() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM requisitions r
        WHERE r.id = NEW.requisition_id AND r.has_signature <> is_signed(r.id)
    ) THEN
        RAISE EXCEPTION 'a requisition is marked as signed while it has a signature'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION require_signature_mark() FROM PUBLIC;
-- PostgreSQL has no CREATE OR REPLACE for these.
DO $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_trigger WHERE tgname = 'signature_marked') THEN
        CREATE CONSTRAINT TRIGGER signature_marked AFTER INSERT OR UPDATE ON requisition_signatures
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_user LIKE 'as\_%')
            EXECUTE FUNCTION require_signature_mark();
    END IF;
END
$$;

-- 22. Signed and canceled requisitions
-- A new requisition has no signature yet.
CREATE OR REPLACE TRIGGER requisition_begins_unsigned BEFORE INSERT ON requisitions
    FOR EACH ROW WHEN (NEW.has_signature) EXECUTE FUNCTION reject_change();
-- A cancellation has the name of the person who acts, and the present time.
CREATE OR REPLACE FUNCTION guard_cancellation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
    NEW.canceled_at := settle_instant(NEW.canceled_at);
    NEW.canceled_by_name := (
        SELECT coalesce(name_of_user(u.id), u.email) FROM users u
        WHERE u.id = nullif(current_setting('app.user', true), '')::uuid);
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION guard_cancellation() FROM PUBLIC;
CREATE OR REPLACE TRIGGER cancellation_guarded BEFORE UPDATE ON requisitions FOR EACH ROW WHEN (
    (OLD.canceled_at, OLD.canceled_by_name) IS DISTINCT FROM (NEW.canceled_at, NEW.canceled_by_name)
    AND current_user LIKE 'as\_%'
) EXECUTE FUNCTION guard_cancellation();
-- A signed requisition accepts no other diagnoses and medications, but an order without a diagnosis
-- may get one (ADR 40). A save that replaces rows with the same rows changes nothing: the policies
-- keep the old rows, and this removes the new ones.
CREATE OR REPLACE FUNCTION guard_signed_parts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    signed bigint[];
    others bigint;
BEGIN
    SELECT array_agg(r.id) INTO signed FROM requisitions r
    WHERE r.has_signature AND r.id IN (SELECT m.requisition_id FROM made m);
    IF signed IS NULL THEN
        RETURN NULL;
    END IF;
    EXECUTE format($sql$
        DELETE FROM %1$I n USING made m WHERE n.id = m.id AND EXISTS (
            SELECT 1 FROM %1$I o WHERE o.requisition_id = n.requisition_id
                AND o.id NOT IN (SELECT id FROM made)
                AND to_jsonb(o) - 'id' = to_jsonb(n) - 'id')
    $sql$, TG_TABLE_NAME);
    EXECUTE format($sql$
        SELECT count(*) FROM %1$I n JOIN made m USING (id)
        WHERE n.requisition_id = ANY($1) AND NOT (
            coalesce(to_jsonb(n) ->> 'purpose', '') = 'main'
            AND EXISTS (
                SELECT 1 FROM requisitions r WHERE r.id = n.requisition_id AND r.status = 4)
            AND NOT EXISTS (
                SELECT 1 FROM %1$I o WHERE o.requisition_id = n.requisition_id
                    AND o.id NOT IN (SELECT id FROM made) AND to_jsonb(o) ->> 'purpose' = 'main'))
    $sql$, TG_TABLE_NAME) INTO others USING signed;
    IF others > 0 THEN
        RAISE EXCEPTION 'a signed requisition accepts no other row of %', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION guard_signed_parts() FROM PUBLIC;
CREATE OR REPLACE TRIGGER signed_parts_guarded AFTER INSERT ON requisition_diagnoses
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT WHEN (current_user LIKE 'as\_%')
    EXECUTE FUNCTION guard_signed_parts();
CREATE OR REPLACE TRIGGER signed_parts_guarded AFTER INSERT ON requisition_medications
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT WHEN (current_user LIKE 'as\_%')
    EXECUTE FUNCTION guard_signed_parts();

-- 23. Entered, verified, and released results
-- A result is entered and verified in the name of the person who does it, at the present time.
CREATE OR REPLACE FUNCTION guard_entry() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.entered_by IS DISTINCT FROM nullif(current_setting('app.user', true), '')::uuid THEN
        RAISE EXCEPTION 'a row of % is entered by somebody else', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    NEW.entered_at := settle_lab_time(NEW.entered_at);
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION guard_entry() FROM PUBLIC;
-- Nobody has verified what a rule released.
CREATE OR REPLACE FUNCTION guard_verification() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.verified_at IS NULL AND NEW.verified_by IS NULL THEN
        RETURN NEW;
    END IF;
    IF current_user = 'as_staff' AND (
        NEW.verified_by = nullif(current_setting('app.user', true), '')::uuid
        OR NEW.verified_by IS NULL AND NEW.released_at IS NOT NULL
            AND NEW.autoverified_version IS NOT NULL
    ) THEN
        NEW.verified_at := settle_lab_time(NEW.verified_at);
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a result is verified by somebody else'
        USING ERRCODE = 'insufficient_privilege';
END
$$;
REVOKE ALL ON FUNCTION guard_verification() FROM PUBLIC;
CREATE OR REPLACE TRIGGER verification_guarded BEFORE INSERT ON results FOR EACH ROW WHEN (
    (NEW.verified_at IS NOT NULL OR NEW.verified_by IS NOT NULL) AND current_user LIKE 'as\_%'
) EXECUTE FUNCTION guard_verification();
CREATE OR REPLACE TRIGGER verification_changed BEFORE UPDATE ON results FOR EACH ROW WHEN (
    (OLD.verified_at, OLD.verified_by) IS DISTINCT FROM (NEW.verified_at, NEW.verified_by)
    AND current_user LIKE 'as\_%'
) EXECUTE FUNCTION guard_verification();
-- Only the lab releases, in the name of the person who does, or by the test's rule and in nobody's
-- name. The rule may have changed since it was read.
CREATE OR REPLACE FUNCTION guard_release() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
    is_allowed boolean := false;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.released_at IS NOT NULL THEN
        RETURN NEW;  -- its lock decides
    END IF;
    IF current_user = 'as_staff' THEN
        is_allowed := coalesce(
            NEW.released_by = nullif(current_setting('app.user', true), '')::uuid, false);
        IF TG_TABLE_NAME <> 'results' THEN
            NEW.released_by_name := name_of_user(NEW.released_by);
        ELSIF NEW.autoverified_version IS NOT NULL THEN
            is_allowed := NEW.released_by IS NULL AND EXISTS (
                SELECT 1 FROM order_tests t JOIN autoverification_rules v ON v.test_id = t.test_id
                WHERE t.id = NEW.order_test_id AND NEW.autoverified_version <= v.version);
        END IF;
    END IF;
    IF NOT is_allowed THEN
        RAISE EXCEPTION 'a row of % is released by somebody else', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    NEW.released_at := settle_lab_time(NEW.released_at);
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION guard_release() FROM PUBLIC;
-- The lab withholds a released result in the name of the person who does, and shows it again after
-- a review. What was withdrawn stays withdrawn.
CREATE OR REPLACE FUNCTION guard_withholding() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND current_user = 'as_staff' THEN
        IF NEW.withheld IS NULL AND OLD.withheld = 'review'
            AND (OLD.withheld_reason, OLD.withheld_words, OLD.withheld_by, OLD.withheld_at)
                IS NOT DISTINCT FROM
                (NEW.withheld_reason, NEW.withheld_words, NEW.withheld_by, NEW.withheld_at)
        THEN
            RETURN NEW;
        END IF;
        IF NEW.withheld IN ('review', 'withdrawn') AND OLD.withheld IS DISTINCT FROM 'withdrawn'
            AND OLD.released_at IS NOT NULL
            AND NEW.withheld_by = nullif(current_setting('app.user', true), '')::uuid
        THEN
            NEW.withheld_at := settle_lab_time(NEW.withheld_at);
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'a row of % is not withheld or shown by this actor', TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$;
REVOKE ALL ON FUNCTION guard_withholding() FROM PUBLIC;
-- At the end of the transaction, the order's test says whether its newest released result is
-- withheld, and no earlier result is visible in its place.
CREATE OR REPLACE FUNCTION require_withheld_mark() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    wanted bigint;
    versions text := TG_TABLE_NAME;
    released record;
BEGIN
    IF TG_TABLE_NAME = 'order_tests' THEN
        wanted := NEW.id;
        versions := CASE to_jsonb(NEW) ->> 'kind' WHEN 'microbiology' THEN 'cultures'
            WHEN 'toxicology' THEN 'toxicology_results'
            WHEN 'pathology' THEN 'pathology_reports' ELSE 'results' END;
    ELSE
        wanted := (to_jsonb(NEW) ->> 'order_test_id')::bigint;
    END IF;
    EXECUTE format($sql$
        SELECT count(*) AS count, (array_agg(v.withheld ORDER BY v.revision DESC))[1] AS newest,
            bool_or(v.withheld IS NULL) AS is_visible,
            (SELECT t.withheld FROM order_tests t WHERE t.id = $1) AS mark
        FROM %I v WHERE v.order_test_id = $1 AND v.released_at IS NOT NULL
    $sql$, versions) INTO released USING wanted;
    -- Several clinical tests may share one result, which belongs to one of them.
    IF released.count > 0 AND (released.newest IS DISTINCT FROM released.mark
        OR released.newest IS NOT NULL AND released.is_visible)
    THEN
        RAISE EXCEPTION 'the versions of a result are withheld together, with its test'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION require_withheld_mark() FROM PUBLIC;
CREATE OR REPLACE FUNCTION guard_mark() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' OR current_user <> 'as_staff' THEN
        RAISE EXCEPTION 'only the lab withholds results'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    NEW.withheld_at := CASE WHEN NEW.withheld IS NOT NULL
        THEN settle_lab_time(NEW.withheld_at) END;
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION guard_mark() FROM PUBLIC;
CREATE OR REPLACE TRIGGER mark_added BEFORE INSERT ON order_tests FOR EACH ROW
    WHEN (NEW.withheld IS NOT NULL AND current_user LIKE 'as\_%') EXECUTE FUNCTION guard_mark();
CREATE OR REPLACE TRIGGER mark_guarded BEFORE UPDATE ON order_tests FOR EACH ROW WHEN (
    (OLD.withheld, OLD.withheld_at) IS DISTINCT FROM (NEW.withheld, NEW.withheld_at)
    AND current_user LIKE 'as\_%'
) EXECUTE FUNCTION guard_mark();
-- Whether a test has a result that people outside the lab see, or will see after a review.
CREATE OR REPLACE FUNCTION has_shown_result(wanted bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT 1 FROM results WHERE order_test_id = wanted AND released_at IS NOT NULL
            AND withheld IS DISTINCT FROM 'withdrawn'
        UNION ALL SELECT 1 FROM cultures WHERE order_test_id = wanted AND released_at IS NOT NULL
            AND withheld IS DISTINCT FROM 'withdrawn'
        UNION ALL SELECT 1 FROM toxicology_results WHERE order_test_id = wanted
            AND released_at IS NOT NULL AND withheld IS DISTINCT FROM 'withdrawn'
        UNION ALL SELECT 1 FROM pathology_reports WHERE order_test_id = wanted
            AND released_at IS NOT NULL AND withheld IS DISTINCT FROM 'withdrawn')
$$;
REVOKE ALL ON FUNCTION has_shown_result(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION has_shown_result(bigint) TO as_staff, as_client, as_worker;
-- A new version is newer than all others of its result, and belongs to the order of its test.
CREATE OR REPLACE FUNCTION guard_added_versions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    is_wrong boolean;
BEGIN
    IF TG_TABLE_NAME = 'results' THEN
        -- Without EXECUTE, the plan is made once.
        is_wrong := EXISTS (
            SELECT 1 FROM made m JOIN results o ON o.order_test_id = m.order_test_id
            WHERE o.revision > m.revision
        ) OR EXISTS (
            SELECT 1 FROM made m LEFT JOIN order_tests t ON t.id = m.order_test_id
            WHERE t.order_id IS DISTINCT FROM m.order_id);
    ELSE
        EXECUTE format($sql$
            SELECT EXISTS (
                SELECT 1 FROM made m JOIN %1$I o ON o.order_test_id = m.order_test_id
                WHERE o.revision > m.revision
            ) OR EXISTS (
                SELECT 1 FROM made m LEFT JOIN order_tests t ON t.id = m.order_test_id
                WHERE t.order_id IS DISTINCT FROM m.order_id)
        $sql$, TG_TABLE_NAME) INTO is_wrong;
    END IF;
    IF is_wrong THEN
        RAISE EXCEPTION 'a new row of % is not the newest of its order', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION guard_added_versions() FROM PUBLIC;
-- At the end of the transaction, a result with a released version has a current version, which is
-- the newest released one, or one that was entered after it.
CREATE OR REPLACE FUNCTION require_current_version() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    is_kept boolean;
BEGIN
    EXECUTE format($sql$
        SELECT coalesce(max(revision) FILTER (WHERE is_current), -1)
            >= coalesce(max(revision) FILTER (WHERE released_at IS NOT NULL), -1)
        FROM %I WHERE order_test_id = $1
    $sql$, TG_TABLE_NAME) INTO is_kept USING OLD.order_test_id;
    IF NOT is_kept THEN
        RAISE EXCEPTION 'a released row of % has no current version', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION require_current_version() FROM PUBLIC;
DO $$
DECLARE
    acts constant text := 'current_user LIKE ''as\_%''';
    versioned text;
    name text;
    conditions constant jsonb := jsonb_build_object(
        'current_version_kept',
        'OLD.released_at IS NOT NULL AND OLD.is_current AND NOT NEW.is_current',
        'entered_version_kept',
        'OLD.released_at IS NULL AND OLD.is_current AND NOT NEW.is_current',
        'withholding_marked', 'OLD.withheld IS DISTINCT FROM NEW.withheld');
BEGIN
    FOREACH versioned IN ARRAY
        ARRAY['results', 'cultures', 'toxicology_results', 'pathology_reports']
    LOOP
        EXECUTE format(
            'CREATE OR REPLACE TRIGGER entry_guarded BEFORE INSERT ON %I FOR EACH ROW '
            'WHEN (%s) EXECUTE FUNCTION guard_entry()', versioned, acts);
        EXECUTE format(
            'CREATE OR REPLACE TRIGGER entry_changed BEFORE UPDATE ON %I FOR EACH ROW WHEN ('
            '(OLD.entered_by, OLD.entered_at) IS DISTINCT FROM (NEW.entered_by, NEW.entered_at) '
            'AND %s) EXECUTE FUNCTION guard_entry()', versioned, acts);
        EXECUTE format(
            'CREATE OR REPLACE TRIGGER release_guarded BEFORE INSERT OR UPDATE ON %I FOR EACH ROW '
            'WHEN (NEW.released_at IS NOT NULL AND %s) EXECUTE FUNCTION guard_release()',
            versioned, acts);
        EXECUTE format(
            'CREATE OR REPLACE TRIGGER withholding_added BEFORE INSERT ON %I FOR EACH ROW '
            'WHEN (NEW.withheld IS NOT NULL AND %s) EXECUTE FUNCTION guard_withholding()',
            versioned, acts);
        EXECUTE format(
            'CREATE OR REPLACE TRIGGER withholding_guarded BEFORE UPDATE ON %I FOR EACH ROW WHEN ('
            '(OLD.withheld, OLD.withheld_reason, OLD.withheld_words, OLD.withheld_by, '
            'OLD.withheld_at) IS DISTINCT FROM (NEW.withheld, NEW.withheld_reason, '
            'NEW.withheld_words, NEW.withheld_by, NEW.withheld_at) AND %s) '
            'EXECUTE FUNCTION guard_withholding()', versioned, acts);
        EXECUTE format(
            'CREATE OR REPLACE TRIGGER version_added AFTER INSERT ON %I '
            'REFERENCING NEW TABLE AS made FOR EACH STATEMENT WHEN (%s) '
            'EXECUTE FUNCTION guard_added_versions()', versioned, acts);
        -- PostgreSQL has no CREATE OR REPLACE for these.
        FOR name IN SELECT jsonb_object_keys(conditions) LOOP
            -- A pathology report that was entered is no longer current when it is withdrawn.
            IF (name <> 'entered_version_kept' OR versioned <> 'pathology_reports')
                AND NOT EXISTS (
                    SELECT 1 FROM pg_trigger
                    WHERE tgname = name AND tgrelid = versioned::regclass)
            THEN
                EXECUTE format(
                    'CREATE CONSTRAINT TRIGGER %I AFTER UPDATE ON %I DEFERRABLE INITIALLY DEFERRED '
                    'FOR EACH ROW WHEN (%s AND %s) EXECUTE FUNCTION %I()',
                    name, versioned, conditions ->> name, acts,
                    CASE name WHEN 'withholding_marked' THEN 'require_withheld_mark'
                        ELSE 'require_current_version' END);
            END IF;
        END LOOP;
    END LOOP;
    IF NOT EXISTS (SELECT 1 FROM pg_trigger WHERE tgname = 'mark_kept') THEN
        CREATE CONSTRAINT TRIGGER mark_kept AFTER UPDATE ON order_tests
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
            WHEN (OLD.withheld IS DISTINCT FROM NEW.withheld AND current_user LIKE 'as\_%')
            EXECUTE FUNCTION require_withheld_mark();
    END IF;
END
$$;

-- 24. Names and roles beside acts
-- The column that the trigger names holds the id of the person who acts.
CREATE OR REPLACE FUNCTION require_own_name() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog AS $$
BEGIN
    IF (to_jsonb(NEW) ->> TG_ARGV[0]) IS DISTINCT FROM nullif(current_setting('app.user', true), '')
    THEN
        RAISE EXCEPTION 'a row of % names somebody else', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION require_own_name() FROM PUBLIC;
CREATE OR REPLACE TRIGGER hold_placed BEFORE INSERT ON result_holds FOR EACH ROW
    WHEN (current_user LIKE 'as\_%') EXECUTE FUNCTION require_own_name('placed_by');
CREATE OR REPLACE TRIGGER hold_lifted BEFORE UPDATE ON result_holds FOR EACH ROW
    WHEN (current_user LIKE 'as\_%') EXECUTE FUNCTION require_own_name('lifted_by');
CREATE OR REPLACE TRIGGER assessment_added BEFORE INSERT ON toxicology_assessments FOR EACH ROW
    WHEN (current_user LIKE 'as\_%') EXECUTE FUNCTION require_own_name('released_by');
CREATE OR REPLACE TRIGGER test_canceled BEFORE UPDATE ON order_tests FOR EACH ROW WHEN (
    OLD.canceled_by IS DISTINCT FROM NEW.canceled_by AND NEW.canceled_by IS NOT NULL
    AND current_user LIKE 'as\_%'
) EXECUTE FUNCTION require_own_name('canceled_by');
-- An audit row has the role of the person who acts. Sign-in has no actor yet, and its rows may have
-- the role of the account that they name.
CREATE OR REPLACE FUNCTION role_of_user(wanted uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT d.role FROM user_directory d WHERE d.id = wanted
$$;
REVOKE ALL ON FUNCTION role_of_user(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION role_of_user(uuid)
    TO as_staff, as_client, as_physician, as_patient, as_worker, as_anonymous, as_gatekeeper;
CREATE OR REPLACE FUNCTION note_role() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
    kind text := substr(current_user, 4);
    actual text := role_of_user(NEW.user_id);
BEGIN
    IF kind NOT IN ('worker', 'gatekeeper', 'anonymous') THEN
        NEW.role := coalesce(actual, kind);
    ELSIF kind <> 'gatekeeper' OR NEW.role IS DISTINCT FROM actual THEN
        NEW.role := kind;
    END IF;
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION note_role() FROM PUBLIC;
CREATE OR REPLACE TRIGGER audit_row_added BEFORE INSERT ON audit_events FOR EACH ROW
    WHEN (current_user LIKE 'as\_%') EXECUTE FUNCTION note_role();

-- 25. The row that a shared result belongs to
-- Panels with the same test share its result, which belongs to one of their rows. While that row is
-- canceled, the result belongs to the first open one, so that nobody who reads it by its row misses
-- it. The function runs with its owner's rights, because the row of a result is otherwise fixed.
CREATE OR REPLACE FUNCTION move_results(wanted_order bigint, wanted_test bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    canceled bigint;
    open bigint;
BEGIN
    SELECT t.id INTO canceled FROM order_tests t
    WHERE t.order_id = wanted_order AND t.test_id = wanted_test AND t.status = 32
        AND (EXISTS (SELECT 1 FROM results r WHERE r.order_test_id = t.id)
            OR EXISTS (SELECT 1 FROM toxicology_results r WHERE r.order_test_id = t.id))
    ORDER BY t.position LIMIT 1;
    SELECT t.id INTO open FROM order_tests t
    WHERE t.order_id = wanted_order AND t.test_id = wanted_test AND t.status <> 32
    ORDER BY t.position LIMIT 1;
    -- Rows whose toxicology results were entered separately keep their own.
    IF canceled IS NULL OR open IS NULL OR EXISTS (
        SELECT 1 FROM order_tests t JOIN toxicology_results r ON r.order_test_id = t.id
        WHERE t.order_id = wanted_order AND t.test_id = wanted_test AND t.status <> 32
    ) THEN
        RETURN;
    END IF;
    UPDATE results SET order_test_id = open WHERE order_test_id = canceled;
    UPDATE toxicology_results SET order_test_id = open WHERE order_test_id = canceled;
    UPDATE critical_items SET order_test_id = open WHERE order_test_id = canceled;
    UPDATE order_additions SET trigger_test_id = open WHERE trigger_test_id = canceled;
END
$$;
REVOKE ALL ON FUNCTION move_results(bigint, bigint) FROM PUBLIC;
CREATE OR REPLACE FUNCTION follow_cancellation() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM move_results(NEW.order_id, NEW.test_id);
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION follow_cancellation() FROM PUBLIC;
CREATE OR REPLACE TRIGGER cancellation_followed AFTER UPDATE ON order_tests FOR EACH ROW
    WHEN ((OLD.status = 32) <> (NEW.status = 32)) EXECUTE FUNCTION follow_cancellation();
-- A rule of the lab may add a panel with a test that is canceled elsewhere in the order.
CREATE OR REPLACE FUNCTION follow_additions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM move_results(t.order_id, t.test_id) FROM made m
    JOIN order_tests t ON t.order_id = m.order_id AND t.test_id = m.test_id AND t.status = 32;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION follow_additions() FROM PUBLIC;
CREATE OR REPLACE TRIGGER additions_followed AFTER INSERT ON order_tests
    REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION follow_additions();
