-- Who may do what with jobs. The worker has the tables; everybody else may only put a job in, through
-- one function that runs with its owner's rights and answers its number.

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA jobs FROM PUBLIC;

CREATE FUNCTION jobs.defer_job(task text, arguments jsonb, due timestamptz)
RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = jobs, pg_catalog, pg_temp AS $$
    SELECT (procrastinate_defer_jobs_v1(ARRAY[
        ROW('portal', task, 0, NULL, NULL, arguments, due)::procrastinate_job_to_defer_v1
    ]))[1]
$$;
REVOKE ALL ON FUNCTION jobs.defer_job(text, jsonb, timestamptz) FROM PUBLIC;

GRANT USAGE ON SCHEMA jobs TO as_staff, as_client, as_physician, as_patient, as_worker;
GRANT EXECUTE ON FUNCTION jobs.defer_job(text, jsonb, timestamptz)
    TO as_staff, as_client, as_physician, as_patient, as_worker;

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA jobs TO as_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA jobs TO as_worker;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA jobs TO as_worker;
