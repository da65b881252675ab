-- Questions that cross scopes. Each answers one fact and nothing else; all of them are here.
-- They run with the rights of the tables' owner, so row-level security does not narrow them.

CREATE FUNCTION ssn_in_use(wanted bytea, except_patient bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT 1 FROM patients
        WHERE ssn_hash = wanted AND id IS DISTINCT FROM except_patient
    )
$$;
REVOKE ALL ON FUNCTION ssn_in_use(bytea, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ssn_in_use(bytea, bigint) TO as_staff, as_client;
