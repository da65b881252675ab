"""The second lock, tried by raw SQL as each database role.

Everything follows from the declarations of the tables, so a new table is tested without a new test.
Each table gets one row; an actor who owns all of them and a stranger then try what they may do.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

from app.contract.enumerations import ScopeKind
from app.server.database.base import declared_locks, declared_scopes
from app.server.database.policies import get_privileges
from app.server.database.scope import (
    ACTOR_USER,
    DATABASE_ROLES,
    SIGNED_IN,
    Accounts,
    AdministeredRows,
    InsertOnly,
    OwnRows,
    Reference,
    Rows,
    Scope,
    SharedReference,
    Through,
    ThroughAny,
)
from app.server.database.writes import Lock
from app.server.schema.tables import metadata
from tests.server.schema.rows import Row, fill

_OWN, _FOREIGN = 9_000_000_007, 9_000_000_008
_TABLES = sorted(metadata.tables)
_LOCKS = [(table, lock) for table in _TABLES for lock in declared_locks[table]]
_LOCKED_STATES = {
    ("requisitions", "status"): "UPDATE requisitions SET status = 2",
    ("requisitions", "signed"): "UPDATE requisition_signatures SET removed_at = NULL",
}
"""Statements that lock a row whose made-up values do not, by table and lock."""
_VERSIONED = ("results", "cultures", "toxicology_results", "pathology_reports")
_CHECKS = """
    SELECT conrelid::regclass::text, conname FROM pg_constraint
    WHERE contype = 'c' AND connamespace = 'public'::regnamespace
"""
_CONFINED = (ScopeKind.CLIENT, ScopeKind.PHYSICIAN, ScopeKind.PATIENT)


@dataclass(frozen=True)
class Actor:
    """The ids and the user that a transaction claims to act for."""

    ids: int
    user: UUID


_OWNER = Actor(_OWN, UUID("00000000-0000-4000-8000-000000000007"))
_STRANGER = Actor(_FOREIGN, UUID("00000000-0000-4000-8000-000000000008"))


class SqlSession:
    """A transaction that acts as each role on a row of each table, and is rolled back."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection
        # All tables get the same made-up values, which these constraints would reject.
        for table, constraint in connection.execute(_CHECKS).fetchall():
            connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {constraint}")
        self.rows: dict[str, Row] = fill(
            connection,
            samples={
                "bigint": _OWN,
                "bigint[]": [_OWN],
                "uuid": _OWNER.user,
                # Other tests have people of the usual name.
                "text": "ZZ-RAW-SQL",
            },
        )

    def act_as(self, role: str, actor: Actor = _OWNER) -> None:
        """Take a database role; 'none' is the tables' owner."""
        self.connection.execute(
            "SELECT set_config('role', %s, true), set_config('app.ids', %s, true),"
            " set_config('app.user', %s, true)",
            (role, f"{{{actor.ids}}}", str(actor.user)),
        )

    def try_statement(self, statement: sql.Composed | sql.SQL, row: Row | None = None) -> int | str:
        """Return the number of rows, or 'denied', or another error's name; undo the change."""
        try:
            with self.connection.transaction(force_rollback=True):
                return self.connection.execute(statement, row or {}).rowcount
        except psycopg.errors.InsufficientPrivilege:
            return "denied"
        except psycopg.Error as error:
            return type(error).__name__

    def is_true(self, table: str, condition: str, actor: Actor) -> bool:
        """Whether an SQL condition holds for the row of the table, with no policy applied."""
        self.act_as("none", actor)
        statement = (
            f"SELECT coalesce(bool_and({condition}), false) FROM {table}"
            f" WHERE {self.build_row_condition(table)}"
        )
        row = self.connection.execute(statement).fetchone()
        assert row is not None
        return bool(row[0])

    def build_row_condition(self, table: str) -> str:
        """SQL of the condition that finds the table's row; the database has reference data too."""
        names = [column.name for column in metadata.tables[table].primary_key]
        return " AND ".join(
            sql.SQL("{}.{} = {}")
            .format(
                sql.Identifier(table), sql.Identifier(name), sql.Literal(self.rows[table][name])
            )
            .as_string(self.connection)
            for name in names
        )

    def can_see(self, table: str, role: str, actor: Actor) -> bool:
        """Whether a role that may read the table sees its row, by the table's declaration."""
        kind, scope = ScopeKind(role.removeprefix("as_")), declared_scopes[table]
        if role not in scope.build_rules(table) or isinstance(scope, AdministeredRows):
            return False  # neither actor administers users
        if kind in (ScopeKind.STAFF, ScopeKind.WORKER) and not isinstance(
            scope, OwnRows | Accounts
        ):
            return True
        return self._can_see_by_scope(table, scope, kind, actor)

    def _can_see_by_scope(self, table: str, scope: Scope, kind: ScopeKind, actor: Actor) -> bool:
        is_owner = actor is _OWNER
        if isinstance(scope, Reference):
            return True
        if isinstance(scope, SharedReference):
            return is_owner
        if isinstance(scope, Rows):
            condition = scope.build_condition(kind, f"ARRAY[{actor.ids}]::bigint[]", table)
            return bool(condition) and self.is_true(
                table, f"({condition}) AND ({scope.restriction or 'true'})", actor
            )
        if isinstance(scope, Through):
            restriction = scope.restriction
            if kind is ScopeKind.CLIENT and scope.client_restriction:
                restriction = scope.client_restriction
            return self.can_see(scope.parent, f"as_{kind}", actor) and self.is_true(
                table, restriction or "true", actor
            )
        if isinstance(scope, ThroughAny):
            return is_owner or self.can_see(scope.link, f"as_{kind}", actor)
        if isinstance(scope, OwnRows):
            is_worker = kind is ScopeKind.WORKER
            return is_worker or (
                is_owner and self.is_true(table, scope.restriction or "true", actor)
            )
        if isinstance(scope, Accounts):
            return kind is ScopeKind.GATEKEEPER or is_owner
        assert isinstance(scope, InsertOnly)
        return False  # the row is not part of a record's history


@pytest.fixture(scope="module")
def session(owner_url: str) -> Iterator[SqlSession]:
    """A transaction with a row in each table."""
    with psycopg.connect(owner_url) as connection:
        yield SqlSession(connection)
        connection.rollback()


@cache
def _get_columns(table: str, role: str, verb: str) -> frozenset[str] | None:
    """Return the columns that a role may write or read; None if it may not at all."""
    for privilege in get_privileges(table).get(role, ()):
        name, _, columns = privilege.partition(" (")
        if name == verb:
            all_columns = {column.name for column in metadata.tables[table].columns}
            return frozenset(columns.rstrip(")").split(", ")) if columns else frozenset(all_columns)
    return None


def _build_update(table: str, column: str, value: str, condition: str) -> sql.Composed:
    return sql.SQL("UPDATE {} SET {} = {} WHERE {}").format(
        sql.Identifier(table), sql.Identifier(column), sql.SQL(value), sql.SQL(condition)
    )


def _build_insert(table: str, columns: list[str], condition: str = "") -> sql.Composed:
    """Build an INSERT of the row's values, or of no row with the condition 'WHERE false'."""
    return sql.SQL("INSERT INTO {} ({}) SELECT {} " + condition).format(
        sql.Identifier(table),
        sql.SQL(", ").join(map(sql.Identifier, columns)),
        sql.SQL(", ").join(map(sql.Placeholder, columns)),
    )


@pytest.mark.parametrize("table", _TABLES)
class TestGrants:
    """Privileges on tables and columns; the statements touch no row."""

    def test_each_role_writes_the_declared_columns_only(
        self, session: SqlSession, table: str
    ) -> None:
        row = session.rows[table]
        for role in DATABASE_ROLES:
            session.act_as(role)
            updated = _get_columns(table, role, "UPDATE") or frozenset()
            inserted = _get_columns(table, role, "INSERT") or frozenset()
            for column in row:
                outcome = session.try_statement(_build_update(table, column, "DEFAULT", "false"))
                assert (outcome == "denied") == (column not in updated), (role, "UPDATE", column)
                outcome = session.try_statement(_build_insert(table, [column], "WHERE false"), row)
                assert (outcome == "denied") == (column not in inserted), (role, "INSERT", column)

    def test_each_role_reads_and_deletes_as_declared(self, session: SqlSession, table: str) -> None:
        for role in DATABASE_ROLES:
            session.act_as(role)
            for verb, text in (("SELECT", "SELECT 1 FROM {}"), ("DELETE", "DELETE FROM {}")):
                statement = sql.SQL(text + " WHERE false").format(sql.Identifier(table))
                is_denied = session.try_statement(statement) == "denied"
                assert is_denied == (_get_columns(table, role, verb) is None), (role, verb)


@pytest.mark.parametrize("table", _TABLES)
class TestPolicies:
    """The rows that a role reaches, for the actor who owns all rows and for a stranger."""

    def test_each_role_sees_the_declared_rows_only(self, session: SqlSession, table: str) -> None:
        for role in DATABASE_ROLES:
            if _get_columns(table, role, "SELECT") is None:
                continue
            for actor in (_OWNER, _STRANGER):
                expected = int(session.can_see(table, role, actor))
                session.act_as(role, actor)
                text = f"SELECT 1 FROM {table} WHERE {session.build_row_condition(table)}"
                assert session.try_statement(sql.SQL(text)) == expected, (role, actor)

    def test_strangers_change_and_delete_nothing(self, session: SqlSession, table: str) -> None:
        # A statement without WHERE reads nothing, so only the policies for writing can stop it.
        for role in (f"as_{kind}" for kind in _CONFINED):
            session.act_as(role, _STRANGER)
            for column in _get_columns(table, role, "UPDATE") or ():
                statement = _build_update(table, column, "DEFAULT", "true")
                assert session.try_statement(statement) in (0, "denied"), (role, column)
            outcome = session.try_statement(sql.SQL(f"DELETE FROM {table}"))
            assert outcome in (0, "denied"), role

    def test_strangers_add_nothing(self, session: SqlSession, table: str) -> None:
        row = session.rows[table]
        for role in (f"as_{kind}" for kind in _CONFINED):
            columns = [name for name in row if name in (_get_columns(table, role, "INSERT") or ())]
            if columns:
                session.act_as(role, _STRANGER)
                assert session.try_statement(_build_insert(table, columns), row) == "denied", role

    def test_nobody_adds_a_row_in_another_name(self, session: SqlSession, table: str) -> None:
        scope, row = declared_scopes[table], session.rows[table]
        has_author = isinstance(scope, Through) and ACTOR_USER in scope.inserts
        if has_author or isinstance(scope, OwnRows | ThroughAny):
            for role in (f"as_{kind}" for kind in SIGNED_IN):
                if columns := [c for c in row if c in (_get_columns(table, role, "INSERT") or ())]:
                    session.act_as(role, Actor(_OWN, _STRANGER.user))
                    assert session.try_statement(_build_insert(table, columns), row) == "denied", (
                        role
                    )


class TestLocks:
    """Rows that no longer change."""

    @pytest.mark.parametrize(("table", "lock"), _LOCKS, ids=lambda value: str(value)[:40])
    @pytest.mark.parametrize("role", DATABASE_ROLES)
    def test_no_role_changes_a_locked_column(
        self, session: SqlSession, table: str, lock: Lock, role: str
    ) -> None:
        # A signature is locked for everybody but its signer, so act as somebody else.
        actor = Actor(_OWN, _STRANGER.user) if "app.user" in lock.when else _OWNER
        with session.connection.transaction(force_rollback=True):
            session.act_as("none")
            session.connection.execute(_LOCKED_STATES.get((table, lock.name), "SELECT 1"))
            is_locked = session.is_true(table, lock.when.replace("OLD.", ""), actor)
            assert is_locked, "the row is not locked"
            session.act_as(role, actor)
            for column in lock.list_columns(metadata.tables[table]):
                if column in (_get_columns(table, role, "UPDATE") or ()):
                    key = session.build_row_condition(table)
                    statement = _build_update(table, column, "NULL", key)
                    assert session.try_statement(statement) in ("denied", 0), (role, column)

    @pytest.mark.parametrize(("table", "lock"), _LOCKS, ids=lambda value: str(value)[:40])
    def test_some_role_can_reach_each_locked_row(
        self, session: SqlSession, table: str, lock: Lock
    ) -> None:
        """Otherwise, the test above would pass without a lock."""
        reached = [role for role in DATABASE_ROLES if session.can_see(table, role, _OWNER)]
        locked = set(lock.list_columns(metadata.tables[table]))
        assert any(locked & (_get_columns(table, role, "UPDATE") or set()) for role in reached)

    @pytest.mark.parametrize(("table", "lock"), _LOCKS, ids=lambda value: str(value)[:40])
    def test_the_owner_can_change_locked_rows(
        self, session: SqlSession, table: str, lock: Lock
    ) -> None:
        """A revision that repairs data can do so."""
        session.act_as("none")
        for column in lock.list_columns(metadata.tables[table]):
            statement = _build_update(table, column, column, session.build_row_condition(table))
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
        for user, outcome in ((_OWNER.user, 1), (_STRANGER.user, "denied"), (None, "denied")):
            statement = sql.SQL(self._INSERT).format(user=sql.Literal(user), kind=sql.Literal("x"))
            assert session.try_statement(statement) == outcome, user

    def test_sign_in_writes_rows_of_accounts_only(self, session: SqlSession) -> None:
        session.act_as("as_gatekeeper")
        for kind, outcome in (("user", 1), ("patient", "denied")):
            statement = sql.SQL(self._INSERT).format(
                user=sql.Literal(_STRANGER.user), kind=sql.Literal(kind)
            )
            assert session.try_statement(statement) == outcome


class TestParts:
    """Parts of released results."""

    @pytest.mark.parametrize(
        "table", ["culture_findings", "culture_organisms", "culture_susceptibilities"]
    )
    def test_no_role_adds_a_part_to_a_released_culture(
        self, session: SqlSession, table: str
    ) -> None:
        row = session.rows[table]
        for role in DATABASE_ROLES:
            session.act_as(role)
            assert session.try_statement(_build_insert(table, list(row)), row) == "denied", role


class TestMovingRequisitions:
    """A pending, unsigned requisition moves, and only within the actor's clients."""

    def test_client_users_cannot_move_a_requisition_out_of_scope(self, session: SqlSession) -> None:
        key = session.build_row_condition("requisitions")
        with session.connection.transaction(force_rollback=True):
            session.act_as("none")
            session.connection.execute(f"UPDATE requisitions SET has_signature = false WHERE {key}")
            session.act_as("as_client")
            to_own = _build_update("requisitions", "client_id", str(_OWN), key)
            to_foreign = _build_update("requisitions", "client_id", str(_FOREIGN), key)
            assert (session.try_statement(to_own), session.try_statement(to_foreign)) == (
                1,
                "denied",
            )

    def test_staff_moves_a_pending_and_unsigned_requisition(self, session: SqlSession) -> None:
        key = session.build_row_condition("requisitions")
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
                    (_FOREIGN,),
                )
                session.connection.execute(f"UPDATE requisitions SET {state} WHERE {key}")
                session.act_as("as_staff")
                statement = _build_update("requisitions", "client_id", str(_FOREIGN), key)
                assert session.try_statement(statement) == outcome, state


@pytest.mark.parametrize("table", _VERSIONED)
class TestReleases:
    """Only the lab releases a result, in the releasing person's name, and none disappears."""

    def test_only_the_lab_inserts_a_released_version(self, session: SqlSession, table: str) -> None:
        version = {"id": _FOREIGN, "revision": 99, "is_current": False}
        for role in DATABASE_ROLES:
            allowed = _get_columns(table, role, "INSERT") or ()
            for releaser, outcome in self._list_releasers(table, role):
                row = {**session.rows[table], **version, "released_by": releaser}
                if columns := [name for name in row if name in allowed]:
                    self._enter_results_as(session, role)
                    assert session.try_statement(_build_insert(table, columns), row) == outcome

    def test_only_the_lab_releases_an_entered_version(
        self, session: SqlSession, table: str
    ) -> None:
        key = session.build_row_condition(table)
        for role in DATABASE_ROLES:
            if "released_by" not in (_get_columns(table, role, "UPDATE") or ()):
                continue
            for releaser, outcome in self._list_releasers(table, role):
                with session.connection.transaction(force_rollback=True):
                    session.act_as("none")
                    session.connection.execute(f"UPDATE {table} SET released_at = NULL WHERE {key}")
                    self._enter_results_as(session, role)
                    name = sql.Literal(releaser).as_string(session.connection)
                    release = f"UPDATE {table} SET released_at = now(), released_by = {name}"
                    assert session.try_statement(sql.SQL(f"{release} WHERE {key}")) in (outcome, 0)

    def test_no_role_hides_a_released_version(self, session: SqlSession, table: str) -> None:
        key = session.build_row_condition(table)
        hide = f"UPDATE {table} SET is_current = false WHERE {key}"
        reached = 0
        for role in DATABASE_ROLES:
            self._enter_results_as(session, role)
            if session.try_statement(sql.SQL(hide)) == 1:
                reached += 1
                with (
                    pytest.raises(psycopg.errors.InsufficientPrivilege),
                    session.connection.transaction(),
                ):
                    session.connection.execute(f"{hide}; SET CONSTRAINTS ALL IMMEDIATE")
        assert reached > 0

    def _list_releasers(self, table: str, role: str) -> list[tuple[UUID | None, int | str]]:
        """Return in whose name a role may release, and the outcome of each statement."""
        is_lab = role == "as_staff"
        by_rule = is_lab and table == "results"
        return [
            (_OWNER.user, 1 if is_lab else "denied"),
            (_STRANGER.user, "denied"),
            (None, 1 if by_rule else "denied"),
        ]

    def _enter_results_as(self, session: SqlSession, role: str) -> None:
        session.act_as(role)
        session.connection.execute("SELECT set_config('app.act', 'enter-results', true)")


class TestSignatures:
    """A signature has the name of its account and the present time."""

    _SIGN = (
        "INSERT INTO requisition_signatures"
        " (requisition_id, user_id, user_name, image, content_hash, signed_at, removed_at)"
        " VALUES ({id}, {user}, 'DR. SOMEBODY ELSE', '', '', {at}, now()) RETURNING user_name"
    )

    def _build(self, at: str) -> sql.Composed:
        values = {"id": sql.Literal(_OWN), "user": sql.Literal(_OWNER.user), "at": sql.SQL(at)}
        return sql.SQL(self._SIGN).format(**values)

    def test_cannot_be_dated(self, session: SqlSession) -> None:
        for role in ("as_staff", "as_client", "as_physician", "as_patient"):
            session.act_as(role)
            for at, outcome in (
                ("now()", 1),
                ("'2001-01-01'", "denied"),
                ("'2999-01-01'", "denied"),
            ):
                assert session.try_statement(self._build(at)) == outcome, (role, at)

    def test_has_the_name_of_the_account(self, session: SqlSession) -> None:
        session.act_as("as_client")
        with session.connection.transaction(force_rollback=True):
            row = session.connection.execute(self._build("now()")).fetchone()
        account = session.rows["users"]
        assert row == (f"{account['first_name']} {account['last_name']}",)
