-- Every name that a patient has, or a requisition says, is told once in patient_names, in the
-- transaction that writes it. Always in the order of the names: whoever waits for another's new name
-- is not waited for. The function runs with its owner's rights: nobody else may write there.

CREATE FUNCTION keep_names() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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

CREATE TRIGGER patient_named AFTER INSERT ON patients REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION keep_names('last_name', 'first_name');
CREATE TRIGGER patient_renamed AFTER UPDATE OF last_name, first_name ON patients
    FOR EACH ROW WHEN ((NEW.last_name, NEW.first_name) <> (OLD.last_name, OLD.first_name))
    EXECUTE FUNCTION keep_names('last_name', 'first_name');
CREATE TRIGGER requisition_named AFTER INSERT ON requisitions REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION keep_names('patient_last_name', 'patient_first_name');
CREATE TRIGGER requisition_renamed AFTER UPDATE OF patient_last_name, patient_first_name
    ON requisitions FOR EACH ROW
    WHEN ((NEW.patient_last_name, NEW.patient_first_name)
        <> (OLD.patient_last_name, OLD.patient_first_name))
    EXECUTE FUNCTION keep_names('patient_last_name', 'patient_first_name');

INSERT INTO patient_names (name)
SELECT last_name FROM patients UNION SELECT first_name FROM patients
UNION SELECT patient_last_name FROM requisitions UNION SELECT patient_first_name FROM requisitions;
