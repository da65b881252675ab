"""Lock signed content, releases, and names."""

from alembic import op

revision: str = "0069"
down_revision: str | None = "0068"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = "0016"

_SQL = r"""
-- The code of a patient
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
-- Signatures
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
-- is wrong, becomes the transaction's. Two seconds are for clocks that differ a little. The zone is
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
END
$$;
REVOKE ALL ON FUNCTION settle_lab_time(timestamp) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION settle_lab_time(timestamp)
    TO as_staff, as_client, as_physician, as_patient, as_worker;
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
        NEW.removed_at := now();
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
-- At the end of the transaction, a requisition is marked as signed while it has a signature.
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
-- Signed and canceled requisitions
-- A new requisition has no signature yet.
CREATE OR REPLACE TRIGGER requisition_begins_unsigned BEFORE INSERT ON requisitions
    FOR EACH ROW WHEN (NEW.has_signature) EXECUTE FUNCTION reject_change();
-- A cancellation has the name of the person who acts, and the present time.
CREATE OR REPLACE FUNCTION guard_cancellation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
    NEW.canceled_at := now();
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
-- Entered, verified, and released results
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
-- Names and roles beside acts
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
CREATE OR REPLACE TRIGGER lock_unsigned BEFORE UPDATE ON requisitions FOR EACH ROW WHEN (NOT OLD.has_signature AND NEW.has_signature AND NOT is_signed(OLD.id) AND ROW(OLD.has_signature) IS DISTINCT FROM ROW(NEW.has_signature)) EXECUTE FUNCTION reject_change();
CREATE OR REPLACE TRIGGER lock_content BEFORE UPDATE ON requisitions FOR EACH ROW WHEN (OLD.has_signature AND ROW(OLD.patient_id, OLD.collection_date, OLD.fasting, OLD.priority, OLD.test_ids, OLD.patient_last_name, OLD.patient_first_name, OLD.patient_middle_name, OLD.patient_birth_date, OLD.patient_gender) IS DISTINCT FROM ROW(NEW.patient_id, NEW.collection_date, NEW.fasting, NEW.priority, NEW.test_ids, NEW.patient_last_name, NEW.patient_first_name, NEW.patient_middle_name, NEW.patient_birth_date, NEW.patient_gender)) EXECUTE FUNCTION reject_change();
CREATE OR REPLACE TRIGGER lock_physician BEFORE UPDATE ON requisitions FOR EACH ROW WHEN (OLD.has_signature AND (OLD.physician_id IS NOT NULL OR OLD.status <> 4) AND ROW(OLD.physician_id) IS DISTINCT FROM ROW(NEW.physician_id)) EXECUTE FUNCTION reject_change();
CREATE OR REPLACE TRIGGER lock_canceled BEFORE UPDATE ON requisitions FOR EACH ROW WHEN (OLD.status = 2 AND ROW(OLD.id, OLD.code, OLD.client_id, OLD.physician_id, OLD.patient_id, OLD.status, OLD.collection_date, OLD.fasting, OLD.priority, OLD.bill_to, OLD.comments, OLD.cancel_comment, OLD.canceled_at, OLD.canceled_by_name, OLD.has_signature, OLD.test_ids, OLD.created_at, OLD.created_by, OLD.changed_by, OLD.version, OLD.patient_last_name, OLD.patient_first_name, OLD.patient_middle_name, OLD.patient_birth_date, OLD.patient_gender, OLD.unit_id, OLD.unit_name, OLD.room_name, OLD.bed) IS DISTINCT FROM ROW(NEW.id, NEW.code, NEW.client_id, NEW.physician_id, NEW.patient_id, NEW.status, NEW.collection_date, NEW.fasting, NEW.priority, NEW.bill_to, NEW.comments, NEW.cancel_comment, NEW.canceled_at, NEW.canceled_by_name, NEW.has_signature, NEW.test_ids, NEW.created_at, NEW.created_by, NEW.changed_by, NEW.version, NEW.patient_last_name, NEW.patient_first_name, NEW.patient_middle_name, NEW.patient_birth_date, NEW.patient_gender, NEW.unit_id, NEW.unit_name, NEW.room_name, NEW.bed)) EXECUTE FUNCTION reject_change();
DROP POLICY as_client_delete ON requisition_copies;
DROP POLICY as_client_insert ON requisition_copies;
DROP POLICY as_physician_delete ON requisition_copies;
DROP POLICY as_physician_insert ON requisition_copies;
DROP POLICY as_staff_delete ON requisition_copies;
DROP POLICY as_staff_insert ON requisition_copies;
DROP POLICY as_worker_delete ON requisition_copies;
DROP POLICY as_worker_insert ON requisition_copies;
CREATE POLICY as_client_delete ON requisition_copies FOR DELETE TO as_client USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_copies.requisition_id AND p.status <> 2));
CREATE POLICY as_client_insert ON requisition_copies FOR INSERT TO as_client WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_copies.requisition_id AND p.status <> 2));
CREATE POLICY as_physician_delete ON requisition_copies FOR DELETE TO as_physician USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_copies.requisition_id AND p.status <> 2));
CREATE POLICY as_physician_insert ON requisition_copies FOR INSERT TO as_physician WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_copies.requisition_id AND p.status <> 2));
CREATE POLICY as_staff_delete ON requisition_copies FOR DELETE TO as_staff USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_copies.requisition_id AND p.status <> 2));
CREATE POLICY as_staff_insert ON requisition_copies FOR INSERT TO as_staff WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_copies.requisition_id AND p.status <> 2));
CREATE POLICY as_worker_delete ON requisition_copies FOR DELETE TO as_worker USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_copies.requisition_id AND p.status <> 2));
CREATE POLICY as_worker_insert ON requisition_copies FOR INSERT TO as_worker WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_copies.requisition_id AND p.status <> 2));
DROP POLICY as_client_delete ON requisition_diagnoses;
DROP POLICY as_client_insert ON requisition_diagnoses;
DROP POLICY as_physician_delete ON requisition_diagnoses;
DROP POLICY as_physician_insert ON requisition_diagnoses;
DROP POLICY as_staff_delete ON requisition_diagnoses;
DROP POLICY as_staff_insert ON requisition_diagnoses;
DROP POLICY as_worker_delete ON requisition_diagnoses;
DROP POLICY as_worker_insert ON requisition_diagnoses;
CREATE POLICY as_client_delete ON requisition_diagnoses FOR DELETE TO as_client USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_diagnoses.requisition_id AND NOT p.has_signature AND p.status <> 2));
CREATE POLICY as_client_insert ON requisition_diagnoses FOR INSERT TO as_client WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_diagnoses.requisition_id AND p.status <> 2));
CREATE POLICY as_physician_delete ON requisition_diagnoses FOR DELETE TO as_physician USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_diagnoses.requisition_id AND NOT p.has_signature AND p.status <> 2));
CREATE POLICY as_physician_insert ON requisition_diagnoses FOR INSERT TO as_physician WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_diagnoses.requisition_id AND p.status <> 2));
CREATE POLICY as_staff_delete ON requisition_diagnoses FOR DELETE TO as_staff USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_diagnoses.requisition_id AND NOT p.has_signature AND p.status <> 2));
CREATE POLICY as_staff_insert ON requisition_diagnoses FOR INSERT TO as_staff WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_diagnoses.requisition_id AND p.status <> 2));
CREATE POLICY as_worker_delete ON requisition_diagnoses FOR DELETE TO as_worker USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_diagnoses.requisition_id AND NOT p.has_signature AND p.status <> 2));
CREATE POLICY as_worker_insert ON requisition_diagnoses FOR INSERT TO as_worker WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_diagnoses.requisition_id AND p.status <> 2));
DROP POLICY as_client_delete ON requisition_insurance;
DROP POLICY as_client_insert ON requisition_insurance;
DROP POLICY as_staff_delete ON requisition_insurance;
DROP POLICY as_staff_insert ON requisition_insurance;
DROP POLICY as_worker_delete ON requisition_insurance;
DROP POLICY as_worker_insert ON requisition_insurance;
CREATE POLICY as_client_delete ON requisition_insurance FOR DELETE TO as_client USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_insurance.requisition_id AND p.status <> 2));
CREATE POLICY as_client_insert ON requisition_insurance FOR INSERT TO as_client WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_insurance.requisition_id AND p.status <> 2));
CREATE POLICY as_staff_delete ON requisition_insurance FOR DELETE TO as_staff USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_insurance.requisition_id AND p.status <> 2));
CREATE POLICY as_staff_insert ON requisition_insurance FOR INSERT TO as_staff WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_insurance.requisition_id AND p.status <> 2));
CREATE POLICY as_worker_delete ON requisition_insurance FOR DELETE TO as_worker USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_insurance.requisition_id AND p.status <> 2));
CREATE POLICY as_worker_insert ON requisition_insurance FOR INSERT TO as_worker WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_insurance.requisition_id AND p.status <> 2));
DROP POLICY as_client_delete ON requisition_medications;
DROP POLICY as_client_insert ON requisition_medications;
DROP POLICY as_physician_delete ON requisition_medications;
DROP POLICY as_physician_insert ON requisition_medications;
DROP POLICY as_staff_delete ON requisition_medications;
DROP POLICY as_staff_insert ON requisition_medications;
DROP POLICY as_worker_delete ON requisition_medications;
DROP POLICY as_worker_insert ON requisition_medications;
CREATE POLICY as_client_delete ON requisition_medications FOR DELETE TO as_client USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_medications.requisition_id AND NOT p.has_signature AND p.status <> 2));
CREATE POLICY as_client_insert ON requisition_medications FOR INSERT TO as_client WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_medications.requisition_id AND p.status <> 2));
CREATE POLICY as_physician_delete ON requisition_medications FOR DELETE TO as_physician USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_medications.requisition_id AND NOT p.has_signature AND p.status <> 2));
CREATE POLICY as_physician_insert ON requisition_medications FOR INSERT TO as_physician WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_medications.requisition_id AND p.status <> 2));
CREATE POLICY as_staff_delete ON requisition_medications FOR DELETE TO as_staff USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_medications.requisition_id AND NOT p.has_signature AND p.status <> 2));
CREATE POLICY as_staff_insert ON requisition_medications FOR INSERT TO as_staff WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_medications.requisition_id AND p.status <> 2));
CREATE POLICY as_worker_delete ON requisition_medications FOR DELETE TO as_worker USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_medications.requisition_id AND NOT p.has_signature AND p.status <> 2));
CREATE POLICY as_worker_insert ON requisition_medications FOR INSERT TO as_worker WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_medications.requisition_id AND p.status <> 2));
DROP POLICY as_client_delete ON requisition_tests;
DROP POLICY as_client_insert ON requisition_tests;
DROP POLICY as_staff_delete ON requisition_tests;
DROP POLICY as_staff_insert ON requisition_tests;
DROP POLICY as_worker_delete ON requisition_tests;
DROP POLICY as_worker_insert ON requisition_tests;
CREATE POLICY as_client_delete ON requisition_tests FOR DELETE TO as_client USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_tests.requisition_id AND NOT p.has_signature AND p.status <> 2));
CREATE POLICY as_client_insert ON requisition_tests FOR INSERT TO as_client WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_tests.requisition_id AND NOT p.has_signature AND p.status <> 2));
CREATE POLICY as_staff_delete ON requisition_tests FOR DELETE TO as_staff USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_tests.requisition_id AND NOT p.has_signature AND p.status <> 2));
CREATE POLICY as_staff_insert ON requisition_tests FOR INSERT TO as_staff WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_tests.requisition_id AND NOT p.has_signature AND p.status <> 2));
CREATE POLICY as_worker_delete ON requisition_tests FOR DELETE TO as_worker USING (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_tests.requisition_id AND NOT p.has_signature AND p.status <> 2));
CREATE POLICY as_worker_insert ON requisition_tests FOR INSERT TO as_worker WITH CHECK (EXISTS (SELECT 1 FROM requisitions p WHERE p.id = requisition_tests.requisition_id AND NOT p.has_signature AND p.status <> 2));
REVOKE UPDATE (awaits_collection, cancel_reason, cancel_words, canceled_at, canceled_by, canceled_status, is_confidential, withheld, withheld_at) ON order_tests FROM as_client;
CREATE OR REPLACE TRIGGER lock_cancellation BEFORE UPDATE ON order_tests FOR EACH ROW WHEN (OLD.status <> 32 AND NEW.status = 32 AND (current_user = 'as_client' OR has_shown_result(OLD.id)) AND ROW(OLD.status) IS DISTINCT FROM ROW(NEW.status)) EXECUTE FUNCTION reject_change();
CREATE OR REPLACE TRIGGER lock_released BEFORE UPDATE ON pathology_reports FOR EACH ROW WHEN (OLD.released_at IS NOT NULL AND ROW(OLD.id, OLD.order_id, OLD.order_test_id, OLD.revision, OLD.is_current, OLD.kind, OLD.content, OLD.flag, OLD.signed_out_by, OLD.reason_code, OLD.reason, OLD.explanation, OLD.entered_by, OLD.entered_at, OLD.released_by, OLD.released_by_name, OLD.released_at) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.order_test_id, NEW.revision, NEW.is_current, NEW.kind, NEW.content, NEW.flag, NEW.signed_out_by, NEW.reason_code, NEW.reason, NEW.explanation, NEW.entered_by, NEW.entered_at, NEW.released_by, NEW.released_by_name, NEW.released_at)) EXECUTE FUNCTION reject_change();
CREATE OR REPLACE TRIGGER lock_entry BEFORE UPDATE ON pathology_reports FOR EACH ROW WHEN (OLD.released_at IS NULL AND NEW.entered_by IS DISTINCT FROM nullif(current_setting('app.user', true), '')::uuid AND ROW(OLD.id, OLD.order_id, OLD.order_test_id, OLD.revision, OLD.kind, OLD.content, OLD.flag, OLD.signed_out_by, OLD.reason_code, OLD.reason, OLD.explanation, OLD.entered_by, OLD.entered_at) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.order_test_id, NEW.revision, NEW.kind, NEW.content, NEW.flag, NEW.signed_out_by, NEW.reason_code, NEW.reason, NEW.explanation, NEW.entered_by, NEW.entered_at)) EXECUTE FUNCTION reject_change();
CREATE OR REPLACE TRIGGER lock_entry BEFORE UPDATE ON results FOR EACH ROW WHEN (OLD.released_at IS NULL AND NEW.entered_by IS DISTINCT FROM nullif(current_setting('app.user', true), '')::uuid AND ROW(OLD.id, OLD.order_id, OLD.order_test_id, OLD.revision, OLD.value, OLD.sign, OLD.number, OLD.measured, OLD.dilution, OLD.first_value, OLD.formula, OLD.comment, OLD.flag, OLD.unit, OLD.method, OLD.performing_lab, OLD.reference_range, OLD.range_comment, OLD.low, OLD.high, OLD.critical_low, OLD.critical_high, OLD.previous_value, OLD.previous_at, OLD.is_delta_exceeded, OLD.is_confirmed, OLD.reason, OLD.reason_words, OLD.entered_by, OLD.entered_at) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.order_test_id, NEW.revision, NEW.value, NEW.sign, NEW.number, NEW.measured, NEW.dilution, NEW.first_value, NEW.formula, NEW.comment, NEW.flag, NEW.unit, NEW.method, NEW.performing_lab, NEW.reference_range, NEW.range_comment, NEW.low, NEW.high, NEW.critical_low, NEW.critical_high, NEW.previous_value, NEW.previous_at, NEW.is_delta_exceeded, NEW.is_confirmed, NEW.reason, NEW.reason_words, NEW.entered_by, NEW.entered_at)) EXECUTE FUNCTION reject_change();
CREATE OR REPLACE TRIGGER lock_entry BEFORE UPDATE ON toxicology_results FOR EACH ROW WHEN (OLD.released_at IS NULL AND NEW.entered_by IS DISTINCT FROM nullif(current_setting('app.user', true), '')::uuid AND ROW(OLD.id, OLD.order_id, OLD.order_test_id, OLD.revision, OLD.value, OLD.is_detected, OLD.unit, OLD.cut_off, OLD.detection_window, OLD.comment, OLD.reason_code, OLD.reason, OLD.explanation, OLD.entered_by, OLD.entered_at) IS DISTINCT FROM ROW(NEW.id, NEW.order_id, NEW.order_test_id, NEW.revision, NEW.value, NEW.is_detected, NEW.unit, NEW.cut_off, NEW.detection_window, NEW.comment, NEW.reason_code, NEW.reason, NEW.explanation, NEW.entered_by, NEW.entered_at)) EXECUTE FUNCTION reject_change();
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
