"""Row-level security in the database matches the scope declarations of the tables."""

import psycopg
import pytest
from alembic import command

from app.server.database.base import declared_scopes
from app.server.database.policies import build_table_statements
from app.server.database.scope import DATABASE_ROLES
from app.server.schema.migrate import build_alembic_config
from app.server.schema.names import APP_LOGIN
from app.server.schema.tables import metadata

_POLICIES = """
    SELECT tablename, policyname, roles::text, cmd, qual, with_check
    FROM pg_policies WHERE schemaname = 'public' ORDER BY 1, 2
"""
_GRANTS = """
    SELECT c.relname, g.grantee::regrole::text, g.privilege_type, ''
    FROM pg_class c, aclexplode(c.relacl) g
    WHERE c.relnamespace = 'public'::regnamespace AND g.grantee::regrole::text LIKE 'as\\_%'
        AND c.relkind = 'r'
    UNION ALL
    SELECT c.relname, g.grantee::regrole::text, g.privilege_type, a.attname
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid, aclexplode(a.attacl) g
    WHERE c.relnamespace = 'public'::regnamespace
    ORDER BY 1, 2, 3, 4
"""
_LOCKS = """
    SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger
    WHERE tgname LIKE 'lock\\_%' ORDER BY 1, 2
"""


@pytest.fixture
def owner(owner_url: str):
    """A connection of the owner; its changes are rolled back."""
    with psycopg.connect(owner_url) as connection:
        yield connection
        connection.rollback()


class TestDeclarations:
    """Declarations of tables, compared with the database."""

    def test_every_table_declares_its_scope(self) -> None:
        assert set(declared_scopes) == set(metadata.tables)

    def test_the_schema_matches_the_models(self, owner_url: str) -> None:
        command.check(build_alembic_config(owner_url))

    def test_every_declared_index_exists(self, owner) -> None:
        """Alembic's comparison leaves out those of `INDEXES_COMPARED_BY_NAME`."""
        declared_names = {
            index.name for table in metadata.tables.values() for index in table.indexes
        }
        existing_names = {name for (name,) in owner.execute("SELECT indexname FROM pg_indexes")}
        assert declared_names - existing_names == set()


class TestPolicies:
    """The policies and grants in the database."""

    def test_policies_grants_and_locks_match_the_declarations(self, owner) -> None:
        queries = (_POLICIES, _GRANTS, _LOCKS)
        existing_rows = [owner.execute(query).fetchall() for query in queries]
        assert all(existing_rows)
        for table, name, *_ in existing_rows[0]:
            owner.execute(f"DROP POLICY {name} ON {table}")
        for table, trigger, _ in existing_rows[2]:
            owner.execute(f"DROP TRIGGER {trigger} ON {table}")
        for table in metadata.tables:
            owner.execute(f"REVOKE ALL ON {table} FROM {', '.join(DATABASE_ROLES)}")
            for statement in build_table_statements(table):
                owner.execute(statement)
        derived_rows = [owner.execute(query).fetchall() for query in queries]
        assert existing_rows == derived_rows

    def test_row_level_security_is_on_for_every_table(self, owner) -> None:
        unprotected_tables = owner.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            " AND relkind = 'r' AND NOT relrowsecurity AND relname <> 'alembic_version'"
        ).fetchall()
        assert unprotected_tables == []

    def test_the_application_login_owns_nothing_and_bypasses_nothing(self, owner) -> None:
        owned_tables = owner.execute(
            "SELECT relname FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner"
            " WHERE r.rolname = %s OR r.rolname = ANY(%s)",
            (APP_LOGIN, list(DATABASE_ROLES)),
        ).fetchall()
        assert owned_tables == []
        flags = owner.execute(
            "SELECT rolsuper, rolbypassrls, rolinherit, rolcreaterole, rolcreatedb"
            " FROM pg_roles WHERE rolname = %s",
            (APP_LOGIN,),
        ).fetchone()
        assert flags == (False, False, False, False, False)

    def test_the_login_reads_nothing_without_a_role(self, app_url: str) -> None:
        with psycopg.connect(app_url) as connection:
            for table in metadata.tables:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(f"SELECT 1 FROM {table} LIMIT 1")
                connection.rollback()

    def test_nobody_can_change_audit_rows(self, app_url: str) -> None:
        with psycopg.connect(app_url) as connection:
            for role in DATABASE_ROLES:
                for statement in ("UPDATE audit_events SET kind = ''", "DELETE FROM audit_events"):
                    connection.execute(f"SET ROLE {role}")
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        connection.execute(statement)
                    connection.rollback()

    def test_only_known_functions_cross_scopes(self, owner) -> None:
        functions = owner.execute(
            "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef"
        ).fetchall()
        assert {name for (name,) in functions} == {
            "ssn_in_use",
            "name_of_user",
            "code_of_patient",
            "note_change",
            "note_critical_notice",
            "note_departure",
            "note_order_signature",
            "mark_acknowledged",
            "move_results",
            "follow_cancellation",
            "follow_additions",
            "complete_order",
            "keep_names",
            "change_access",
            "use_quota",
            "return_quota",
            "find_administrator",
            "is_user_administrator",
            "list_admin_clients",
            "remove_sealed_events",
            "schema_revision",
            "require_superuser",
            "lock_user",
            "end_user_sessions",
            "enter_user",
            "enter_changed_user",
            "enter_registered_user",
            "enter_users_of_patient",
            "require_administrator",
            "is_email_in_use",
            "add_user",
            "add_invitation",
            "create_user",
            "end_links",
            "change_user",
            "invite_user",
            "delete_user",
            "assignments_of_user",
            "sign_up_patient",
            "is_signed",
            "guard_signature",
            "require_current_version",
            "settle_lab_time",
            "require_signature_mark",
            "guard_cancellation",
            "guard_signed_parts",
            "require_withheld_mark",
            "has_shown_result",
            "guard_added_versions",
            "role_of_user",
        }
