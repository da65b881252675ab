-- Questions that cross scopes, of patient timelines.

-- Who a user is, in words. Accounts are the gatekeeper's alone; whoever may see what somebody did
-- may see that person's name and nothing else of the account.
CREATE FUNCTION name_of_user(wanted uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT nullif(btrim(concat_ws(' ', first_name, last_name)), '') FROM users WHERE id = wanted
$$;
REVOKE ALL ON FUNCTION name_of_user(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION name_of_user(uuid) TO as_staff, as_client, as_physician;
