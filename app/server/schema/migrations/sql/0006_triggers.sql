-- A new version of a watched record is noted in the transaction that makes it, whoever makes it.
-- The function runs with its owner's rights: nobody else may write into the stream.

CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public AS $$
BEGIN
    INSERT INTO public.changes (kind, record_id, version, client_id, physician_id, patient_id)
    VALUES (TG_ARGV[0], NEW.id, NEW.version, NEW.client_id, NEW.physician_id, NEW.patient_id);
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION note_change() FROM PUBLIC;

CREATE TRIGGER requisition_made AFTER INSERT ON requisitions
    FOR EACH ROW EXECUTE FUNCTION note_change('requisition');
CREATE TRIGGER requisition_changed AFTER UPDATE ON requisitions
    FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION note_change('requisition');
CREATE TRIGGER order_made AFTER INSERT ON orders
    FOR EACH ROW EXECUTE FUNCTION note_change('order');
CREATE TRIGGER order_changed AFTER UPDATE ON orders
    FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION note_change('order');
