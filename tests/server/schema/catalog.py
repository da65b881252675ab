"""Describes the schema of a database from its system catalog."""

import psycopg

_QUERIES = {
    "column": """
        SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
            CASE WHEN a.attnotnull THEN 'not null' END, nullif(a.attidentity::text, ''),
            nullif(a.attgenerated::text, ''), pg_get_expr(d.adbin, d.adrelid)
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
            AND a.attnum > 0 AND NOT a.attisdropped
    """,
    # NOT NULL is left out, because only newer servers list it here; the query of columns has it.
    "constraint": """
        SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    """,
    "index": """
        SELECT indrelid::regclass, pg_get_indexdef(indexrelid),
            CASE WHEN NOT indisvalid THEN 'invalid' END
        FROM pg_index JOIN pg_class c ON c.oid = indexrelid
        WHERE c.relnamespace = 'public'::regnamespace
    """,
    "table": """
        SELECT relname, CASE WHEN relrowsecurity THEN 'row level security' END
        FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    """,
    "policy": """
        SELECT tablename, policyname, roles, cmd, qual, with_check FROM pg_policies
        WHERE schemaname = 'public'
    """,
    "grant": """
        SELECT c.relname, acl.grantee::regrole, acl.privilege_type
        FROM pg_class c, aclexplode(c.relacl) acl
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'S')
            AND acl.grantee <> c.relowner
    """,
    "sequence": """
        SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'
    """,
    "function": """
        SELECT pg_get_functiondef(p.oid),
            array(SELECT acl.grantee::regrole::text || ' ' || acl.privilege_type
                FROM aclexplode(p.proacl) acl ORDER BY 1)
        FROM pg_proc p
        WHERE p.oid::regprocedure::text = ANY(%(functions)s)
            OR p.pronamespace = 'public'::regnamespace AND NOT EXISTS (
                SELECT 1 FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
    """,
    "trigger": """
        SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = 'public'::regnamespace AND NOT tgisinternal
    """,
    "extension": "SELECT extname FROM pg_extension",
}
_OURS_IN_JOBS = ["jobs.defer_job(text,jsonb,timestamp with time zone)"]


def describe_schema(url: str) -> list[str]:
    """Return the sorted lines that describe a schema, without Alembic's own table."""
    with psycopg.connect(url) as connection:
        lines = [
            f"{kind}: " + " | ".join(str(value) for value in row if value is not None)
            for kind, query in _QUERIES.items()
            for row in connection.execute(query, {"functions": _OURS_IN_JOBS}).fetchall()
        ]
    return sorted(line for line in lines if "alembic_version" not in line)
