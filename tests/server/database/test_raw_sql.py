"""The second lock (ADR 45), tried by raw SQL as each database role.

Everything follows from the declarations of the tables, so a new table is tested without a new test.
Each table gets one row. An actor who owns all of them and a stranger then try what they may and may
not do.
"""

import pytest
from psycopg import sql

from app.contract.enumerations import ScopeKind
from app.server.database.base import declared_locks, declared_scopes
from app.server.database.scope import (
    ACTOR_USER,
    DATABASE_ROLES,
    SIGNED_IN,
    OwnRows,
    Through,
    ThroughAny,
)
from app.server.database.writes import Lock
from app.server.schema.tables import metadata
from tests.server.database.raw_sql import (
    FOREIGN,
    OWN,
    OWNER,
    STRANGER,
    Actor,
    SqlSession,
    build_insert,
    build_update,
    get_columns,
)

_TABLES = sorted(metadata.tables)
# Locks that apply only to certain changes have separate tests.
_LOCKS = [(table, lock) for table in _TABLES for lock in declared_locks[table] if not lock.change]
_LOCKED_STATES = {
    ("requisitions", "status"): f"UPDATE requisitions SET status = 2 WHERE id = {OWN}",
    ("requisitions", "canceled"): f"UPDATE requisitions SET status = 2 WHERE id = {OWN}",
    ("requisitions", "signed"): (
        f"UPDATE requisition_signatures SET removed_at = NULL WHERE requisition_id = {OWN}"
    ),
}
"""Statements that put the made-up row into the state of a lock, by table and lock."""
_CONFINED_KINDS = (ScopeKind.CLIENT, ScopeKind.PHYSICIAN, ScopeKind.PATIENT)


@pytest.mark.parametrize("table", _TABLES)
class TestGrants:
    """Privileges on tables and columns; the statements touch no row."""

    def test_each_role_writes_the_declared_columns_only(
        self, session: SqlSession, table: str
    ) -> None:
        row = session.rows[table]
        for role in DATABASE_ROLES:
            session.act_as(role)
            updated_columns = get_columns(table, role, "UPDATE") or frozenset()
            inserted_columns = get_columns(table, role, "INSERT") or frozenset()
            for column in row:
                outcome = session.try_statement(build_update(table, column, "DEFAULT", "false"))
                assert (outcome == "denied") == (column not in updated_columns), (
                    role,
                    "UPDATE",
                    column,
                )
                outcome = session.try_statement(build_insert(table, [column], "WHERE false"), row)
                assert (outcome == "denied") == (column not in inserted_columns), (
                    role,
                    "INSERT",
                    column,
                )

    def test_each_role_reads_and_deletes_as_declared(self, session: SqlSession, table: str) -> None:
        for role in DATABASE_ROLES:
            session.act_as(role)
            for verb, text in (("SELECT", "SELECT 1 FROM {}"), ("DELETE", "DELETE FROM {}")):
                statement = sql.SQL(text + " WHERE false").format(sql.Identifier(table))
                is_denied = session.try_statement(statement) == "denied"
                assert is_denied == (get_columns(table, role, verb) is None), (role, verb)


@pytest.mark.parametrize("table", _TABLES)
class TestPolicies:
    """The rows that a role reaches, for the actor who owns all rows and for a stranger."""

    def test_each_role_sees_the_declared_rows_only(self, session: SqlSession, table: str) -> None:
        for role in DATABASE_ROLES:
            if get_columns(table, role, "SELECT") is None:
                continue
            for actor in (OWNER, STRANGER):
                expected = int(session.can_see(table, role, actor))
                session.act_as(role, actor)
                text = f"SELECT 1 FROM {table} WHERE {session.build_row_condition(table)}"
                assert session.try_statement(sql.SQL(text)) == expected, (role, actor)

    def test_strangers_change_and_delete_nothing(self, session: SqlSession, table: str) -> None:
        # A statement without WHERE reads nothing, so only the policies for writing can stop it.
        for role in (f"as_{kind}" for kind in _CONFINED_KINDS):
            session.act_as(role, STRANGER)
            for column in get_columns(table, role, "UPDATE") or ():
                statement = build_update(table, column, "DEFAULT", "true")
                assert session.try_statement(statement) in (0, "denied"), (role, column)
            outcome = session.try_statement(sql.SQL(f"DELETE FROM {table}"))
            assert outcome in (0, "denied"), role

    def test_strangers_add_nothing(self, session: SqlSession, table: str) -> None:
        row = session.rows[table]
        for role in (f"as_{kind}" for kind in _CONFINED_KINDS):
            columns = [name for name in row if name in (get_columns(table, role, "INSERT") or ())]
            if columns:
                session.act_as(role, STRANGER)
                assert session.try_statement(build_insert(table, columns), row) == "denied", role

    def test_nobody_adds_a_row_in_the_name_of_another_user(
        self, session: SqlSession, table: str
    ) -> None:
        scope, row = declared_scopes[table], session.rows[table]
        has_author = isinstance(scope, Through) and ACTOR_USER in scope.inserts
        if has_author or isinstance(scope, OwnRows | ThroughAny):
            for role in (f"as_{kind}" for kind in SIGNED_IN):
                if columns := [c for c in row if c in (get_columns(table, role, "INSERT") or ())]:
                    session.act_as(role, Actor(OWN, STRANGER.user))
                    assert session.try_statement(build_insert(table, columns), row) == "denied", (
                        role
                    )


class TestLocks:
    """Rows that the database locks in some state, such as a signed requisition."""

    @pytest.mark.parametrize(("table", "lock"), _LOCKS, ids=lambda value: str(value)[:40])
    @pytest.mark.parametrize("role", DATABASE_ROLES)
    def test_no_role_changes_a_locked_column(
        self, session: SqlSession, table: str, lock: Lock, role: str
    ) -> None:
        # A signature is locked for everybody but its signer, so act as somebody else.
        actor = Actor(OWN, STRANGER.user) if "app.user" in lock.when else OWNER
        with session.connection.transaction(force_rollback=True):
            session.act_as("none")
            session.connection.execute(_LOCKED_STATES.get((table, lock.name), "SELECT 1"))
            is_locked = session.is_true(table, lock.when.replace("OLD.", ""), actor)
            assert is_locked, "the row is not locked"
            session.act_as(role, actor)
            for column in lock.list_columns(metadata.tables[table]):
                if column in (get_columns(table, role, "UPDATE") or ()):
                    condition = session.build_row_condition(table)
                    statement = build_update(table, column, "NULL", condition)
                    assert session.try_statement(statement) in ("denied", 0), (role, column)

    @pytest.mark.parametrize(("table", "lock"), _LOCKS, ids=lambda value: str(value)[:40])
    def test_some_role_can_reach_each_locked_row(
        self, session: SqlSession, table: str, lock: Lock
    ) -> None:
        """Otherwise, the test above would pass without a lock."""
        roles = [role for role in DATABASE_ROLES if session.can_see(table, role, OWNER)]
        locked_columns = set(lock.list_columns(metadata.tables[table]))
        assert any(locked_columns & (get_columns(table, role, "UPDATE") or set()) for role in roles)

    @pytest.mark.parametrize(("table", "lock"), _LOCKS, ids=lambda value: str(value)[:40])
    def test_the_owner_can_change_locked_rows(
        self, session: SqlSession, table: str, lock: Lock
    ) -> None:
        """A revision that repairs data can do so."""
        session.act_as("none")
        for column in lock.list_columns(metadata.tables[table]):
            statement = build_update(table, column, column, session.build_row_condition(table))
            assert session.try_statement(statement) == 1


class TestAuditRows:
    """Nobody writes an audit row in another's name, or at another time."""

    _INSERT = (
        "INSERT INTO audit_events (user_id, role, action, kind, record_ids, request_id)"
        " VALUES ({user}, 'Superuser', 'read', {kind}, '{{}}', '')"
    )

    @pytest.mark.parametrize("kind", [*SIGNED_IN, ScopeKind.WORKER, ScopeKind.ANONYMOUS])
    def test_the_row_names_the_actor(self, session: SqlSession, kind: ScopeKind) -> None:
        session.act_as(f"as_{kind}")
        for user, outcome in ((OWNER.user, 1), (STRANGER.user, "denied"), (None, "denied")):
            statement = sql.SQL(self._INSERT).format(user=sql.Literal(user), kind=sql.Literal("x"))
            assert session.try_statement(statement) == outcome, user

    def _store_role(self, session: SqlSession, role: str, sent_role: str) -> str:
        """Insert a row with a role as the actor of a database role, and return what is stored."""
        text = self._INSERT.replace("'Superuser'", f"'{sent_role}'")
        insert = sql.SQL(text).format(user=sql.Literal(OWNER.user), kind=sql.Literal("user"))
        # The made-up account has a deletion time, but an actor's account must not be deleted.
        condition = session.build_row_condition("users")
        with session.run_in_state(f"UPDATE users SET deleted_at = NULL WHERE {condition}"):
            session.act_as(role)
            session.connection.execute(insert)
            session.act_as("none")
            row = session.fetch(
                f"SELECT role FROM audit_events WHERE kind = 'user' AND id < {OWN}"
                " ORDER BY id DESC LIMIT 1"
            )
        return str(row["role"])

    @pytest.mark.parametrize("kind", [*SIGNED_IN, ScopeKind.WORKER, ScopeKind.ANONYMOUS])
    def test_the_row_has_the_role_of_the_actor(self, session: SqlSession, kind: ScopeKind) -> None:
        [role_of_account] = session.rows["registrations"]["roles"]
        expected = role_of_account if kind in SIGNED_IN else kind
        assert self._store_role(session, f"as_{kind}", "Superuser") == expected

    def test_sign_in_writes_the_role_of_the_account_or_gatekeeper(
        self, session: SqlSession
    ) -> None:
        [role] = session.rows["registrations"]["roles"]
        assert self._store_role(session, "as_gatekeeper", role) == role
        assert self._store_role(session, "as_gatekeeper", "Superuser") == "gatekeeper"

    def test_sign_in_writes_rows_about_accounts_only(self, session: SqlSession) -> None:
        session.act_as("as_gatekeeper")
        for kind, outcome in (("user", 1), ("patient", "denied")):
            statement = sql.SQL(self._INSERT).format(
                user=sql.Literal(STRANGER.user), kind=sql.Literal(kind)
            )
            assert session.try_statement(statement) == outcome


class TestParts:
    """The parts of a released culture."""

    @pytest.mark.parametrize(
        "table", ["culture_findings", "culture_organisms", "culture_susceptibilities"]
    )
    def test_no_role_adds_a_part_to_a_released_culture(
        self, session: SqlSession, table: str
    ) -> None:
        row = session.rows[table]
        for role in DATABASE_ROLES:
            session.act_as(role)
            assert session.try_statement(build_insert(table, list(row)), row) == "denied", role


class TestMovingRequisitions:
    """A pending, unsigned requisition moves, and only within the actor's clients."""

    def test_client_users_cannot_move_a_requisition_out_of_scope(self, session: SqlSession) -> None:
        condition = session.build_row_condition("requisitions")
        with session.connection.transaction(force_rollback=True):
            session.act_as("none")
            session.connection.execute(
                f"UPDATE requisitions SET has_signature = false WHERE {condition}"
            )
            session.act_as("as_client")
            to_own = build_update("requisitions", "client_id", str(OWN), condition)
            to_foreign = build_update("requisitions", "client_id", str(FOREIGN), condition)
            assert (session.try_statement(to_own), session.try_statement(to_foreign)) == (
                1,
                "denied",
            )

    def test_staff_moves_a_pending_and_unsigned_requisition(self, session: SqlSession) -> None:
        condition = session.build_row_condition("requisitions")
        for state, outcome in (
            ("status = 1, has_signature = false", 1),
            ("status = 1, has_signature = true", "denied"),
            ("status = 2, has_signature = false", "denied"),
        ):
            with session.connection.transaction(force_rollback=True):
                session.act_as("none")
                session.connection.execute(
                    "INSERT INTO clients (id, code, name, default_bill_to)"
                    " VALUES (%s, 'M', 'M', 1)",
                    (FOREIGN,),
                )
                session.connection.execute(f"UPDATE requisitions SET {state} WHERE {condition}")
                session.act_as("as_staff")
                statement = build_update("requisitions", "client_id", str(FOREIGN), condition)
                assert session.try_statement(statement) == outcome, state


class TestNames:
    """Nobody holds a test, lifts a hold, cancels a test, or judges results in another's name."""

    @pytest.mark.parametrize(
        ("table", "column", "verb"),
        [
            ("result_holds", "placed_by", "INSERT"),
            ("toxicology_assessments", "released_by", "INSERT"),
            ("result_holds", "lifted_by", "UPDATE"),
            ("order_tests", "canceled_by", "UPDATE"),
        ],
    )
    def test_the_row_names_the_actor(
        self, session: SqlSession, table: str, column: str, verb: str
    ) -> None:
        statements = []
        if verb == "UPDATE":
            statements = [f"UPDATE {table} SET {column} = NULL WHERE id = {OWN}"]
        for user, outcome in ((OWNER.user, 1), (STRANGER.user, "denied")):
            with session.run_in_state(*statements):
                session.act_as("as_staff")
                if verb == "UPDATE":
                    update = build_update(table, column, f"'{user}'", f"id = {OWN}")
                    assert session.try_statement(update) == outcome
                else:
                    changes = {"id": FOREIGN, "revision": 99, column: user}
                    stored_row = session.rows[table]
                    row = {name: changes.get(name, value) for name, value in stored_row.items()}
                    assert session.try_statement(build_insert(table, list(row)), row) == outcome


class TestPatientCodes:
    """Only people who see a patient, or a record of the patient, can read the code."""

    def test_strangers_get_no_code(self, session: SqlSession) -> None:
        code = session.rows["patients"]["code"]
        for role in ("as_staff", *(f"as_{kind}" for kind in _CONFINED_KINDS)):
            for actor in (OWNER, STRANGER):
                session.act_as(role, actor)
                row = session.fetch(f"SELECT code_of_patient({OWN}) AS code")
                is_visible = role == "as_staff" or actor is OWNER
                assert row == {"code": code if is_visible else None}, (role, actor)

    @pytest.mark.parametrize("table", ["requisitions", "orders"])
    def test_a_record_shows_the_code_of_a_patient_who_left(
        self, session: SqlSession, table: str
    ) -> None:
        others = {"requisitions", "orders"} - {table}
        with session.run_in_state(
            "ALTER TABLE patients DROP CONSTRAINT fk_patients_client_id",
            *(f"ALTER TABLE {other} DROP CONSTRAINT fk_{other}_client_id" for other in others),
            f"UPDATE patients SET client_id = {FOREIGN} WHERE id = {OWN}",
            *(f"UPDATE {other} SET client_id = {FOREIGN} WHERE id = {OWN}" for other in others),
        ):
            for actor in (OWNER, STRANGER):
                session.act_as("as_client", actor)
                row = session.fetch(f"SELECT code_of_patient({OWN}) AS code")
                assert row["code"] == session.rows["patients"]["code"]
            session.act_as("as_client", Actor(1, OWNER.user))
            assert session.fetch(f"SELECT code_of_patient({OWN}) AS code") == {"code": None}
