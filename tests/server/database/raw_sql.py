"""A transaction with a row in each table, for statements that the application never sends."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from uuid import UUID

import psycopg
import psycopg.rows
from psycopg import sql

from app.contract.enumerations import ScopeKind
from app.server.database.base import declared_scopes
from app.server.database.policies import get_privileges
from app.server.database.scope import (
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
from app.server.schema.tables import metadata
from app.server.settings import Settings
from tests.server.schema.rows import Row, fill_tables

OWN, FOREIGN = 9_000_000_007, 9_000_000_008
_CHECKS = """
    SELECT conrelid::regclass::text, conname FROM pg_constraint
    WHERE contype = 'c' AND connamespace = 'public'::regnamespace
"""


@dataclass(frozen=True)
class Actor:
    """The id in the scope and the user that a transaction claims to act for."""

    scope_id: int
    user: UUID


OWNER = Actor(OWN, UUID("00000000-0000-4000-8000-000000000007"))
STRANGER = Actor(FOREIGN, UUID("00000000-0000-4000-8000-000000000008"))


class SqlSession:
    """A transaction that acts as each role on a row of each table, and is rolled back."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection
        # All tables get the same made-up values, which these constraints would reject.
        for table, constraint in connection.execute(_CHECKS).fetchall():
            connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {constraint}")
        self.rows: dict[str, Row] = fill_tables(
            connection,
            samples={
                "bigint": OWN,
                "bigint[]": [OWN],
                "uuid": OWNER.user,
                # The default text is also the name of people in other tests.
                "text": "ZZ-RAW-SQL",
            },
        )

    def act_as(self, role: str, actor: Actor = OWNER) -> None:
        """Switch to a database role, or with 'none' back to the tables' owner."""
        self.connection.execute(
            "SELECT set_config('role', %s, true), set_config('app.ids', %s, true),"
            " set_config('app.user', %s, true)",
            (role, f"{{{actor.scope_id}}}", str(actor.user)),
        )

    def try_statement(self, statement: sql.Composed | sql.SQL, row: Row | None = None) -> int | str:
        """Return the number of rows, or 'denied', or another error's name; undo the change.

        A statement that only the commit would reject is 'denied', too.
        """
        try:
            with self.connection.transaction(force_rollback=True):
                count = self.connection.execute(statement, row or {}).rowcount
                self.connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
                return count
        except psycopg.errors.InsufficientPrivilege:
            return "denied"
        except psycopg.Error as error:
            return type(error).__name__

    def try_texts(self, *texts: str) -> int | str:
        """Run statements in one transaction, return the outcome of the last, and undo them."""
        try:
            with self.connection.transaction(force_rollback=True):
                for text in texts[:-1]:
                    self.connection.execute(text.encode())
                return self.try_statement(sql.SQL(texts[-1]))
        except psycopg.errors.InsufficientPrivilege:
            return "denied"

    def fetch(self, text: str) -> Row:
        """Run a statement, and return its only row by column; undo the change."""
        with self.connection.transaction(force_rollback=True):
            cursor = self.connection.cursor(row_factory=psycopg.rows.dict_row)
            [row] = cursor.execute(text.encode()).fetchall()
        return row

    @contextmanager
    def run_in_state(self, *texts: str) -> Iterator[None]:
        """Run statements as the tables' owner, and undo them at the end."""
        with self.connection.transaction(force_rollback=True):
            self.act_as("none")
            for text in texts:
                self.connection.execute(text.encode())
            yield

    def get_lab_time(self) -> datetime:
        """Return the transaction's time in the tests' lab."""
        zone = Settings.model_fields["time_zone"].default
        row = self.fetch(f"SELECT date_trunc('second', now() AT TIME ZONE '{zone}') AS time")
        time: datetime = row["time"]
        return time

    def enter_results_as(self, role: str, actor: Actor = OWNER) -> None:
        """Switch to a database role, in a transaction that is declared to enter results."""
        self.act_as(role, actor)
        self.connection.execute("SELECT set_config('app.act', 'enter-results', true)")

    def is_true(self, table: str, condition: str, actor: Actor) -> bool:
        """Whether an SQL condition is true of the table's row, with no policy applied."""
        self.act_as("none", actor)
        statement = (
            f"SELECT coalesce(bool_and({condition}), false) FROM {table}"
            f" WHERE {self.build_row_condition(table)}"
        )
        row = self.connection.execute(statement).fetchone()
        assert row is not None
        return bool(row[0])

    def build_row_condition(self, table: str) -> str:
        """Return an SQL condition that only the made-up row of the table meets."""
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
        """Whether a role that may read the table sees its row, as the table's scope declares."""
        kind, scope = ScopeKind(role.removeprefix("as_")), declared_scopes[table]
        if role not in scope.build_rules(table) or isinstance(scope, AdministeredRows):
            return False  # Neither of the two actors administers users.
        if kind in (ScopeKind.STAFF, ScopeKind.WORKER) and not isinstance(
            scope, OwnRows | Accounts
        ):
            return True
        return self._can_see_by_scope(table, scope, kind, actor)

    def _can_see_by_scope(self, table: str, scope: Scope, kind: ScopeKind, actor: Actor) -> bool:
        is_owner = actor is OWNER
        if isinstance(scope, Reference):
            return True
        if isinstance(scope, SharedReference):
            return is_owner
        if isinstance(scope, Rows):
            condition = scope.build_condition(kind, f"ARRAY[{actor.scope_id}]::bigint[]", table)
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
        return False  # Such a row is visible only in the history of a record.


@cache
def get_columns(table: str, role: str, verb: str) -> frozenset[str] | None:
    """Return the columns that a role may write or read; None if it has no such privilege."""
    for privilege in get_privileges(table).get(role, ()):
        name, _, columns = privilege.partition(" (")
        if name == verb:
            all_columns = {column.name for column in metadata.tables[table].columns}
            return frozenset(columns.rstrip(")").split(", ")) if columns else frozenset(all_columns)
    return None


def build_update(table: str, column: str, value: str, condition: str) -> sql.Composed:
    """Build an UPDATE of one column, in the rows that meet the condition."""
    return sql.SQL("UPDATE {} SET {} = {} WHERE {}").format(
        sql.Identifier(table), sql.Identifier(column), sql.SQL(value), sql.SQL(condition)
    )


def build_insert(table: str, columns: list[str], condition: str = "") -> sql.Composed:
    """Build an INSERT of the row's values, or of no row with the condition 'WHERE false'."""
    return sql.SQL("INSERT INTO {} ({}) SELECT {} " + condition).format(
        sql.Identifier(table),
        sql.SQL(", ").join(map(sql.Identifier, columns)),
        sql.SQL(", ").join(map(sql.Placeholder, columns)),
    )
