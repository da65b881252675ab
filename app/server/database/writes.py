"""Limits of writes: columns and rows that no role of the application may change (ADR 45).

Row-level security says which rows a role may change. These declarations say which columns a role
may write, and which rows never change. Grants and triggers follow from them, as policies do from
scopes.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from sqlalchemy import Table as SqlTable

from app.contract.enumerations import ScopeKind

SET_BY_DATABASE = frozenset({"created_at", "created_by"})
"""The columns of every table that say when and by whom a row was created."""


@dataclass(frozen=True)
class Writes:
    """The columns that UPDATE and INSERT may write.

    Without a declaration, an UPDATE may write all columns except the primary key and those that
    say when and by whom the row was created.

    Attributes:
        only: the columns that may be updated.
        all_but: the columns that may not be updated; all others may.
        by: the columns that a kind of scope may update, if fewer.
        insert_all_but: the columns that only the database fills.
    """

    only: tuple[str, ...] | None = None
    all_but: tuple[str, ...] = ()
    by: Mapping[ScopeKind, tuple[str, ...]] = field(default_factory=dict)
    insert_all_but: tuple[str, ...] = ()

    def list_updatable_columns(
        self, table: SqlTable, role: str, fixed_columns: Collection[str]
    ) -> list[str]:
        """Return the columns that a database role may update, without ``fixed_columns``."""
        allowed_columns = self.by.get(ScopeKind(role.removeprefix("as_")), self.only)
        names = [
            column.name
            for column in table.columns
            if not column.primary_key
            and column.computed is None
            and column.identity is None
            and column.name not in SET_BY_DATABASE
            and column.name not in self.all_but
            and column.name not in fixed_columns
            and (allowed_columns is None or column.name in allowed_columns)
        ]
        return sorted(names)

    def list_insertable_columns(self, table: SqlTable) -> list[str] | None:
        """Return the columns that may be inserted; None if all may."""
        if not self.insert_all_but:
            return None
        return sorted(
            column.name for column in table.columns if column.name not in self.insert_all_but
        )


@dataclass(frozen=True)
class Lock:
    """Rows with columns that cannot change, enforced by a trigger.

    Only the owner of the tables may change them: in revisions, and in functions with the owner's
    rights.

    Attributes:
        name: what the lock protects; part of the trigger's name.
        when: SQL, with ``OLD.`` before columns: the rows that are locked.
        change: SQL, with ``NEW.`` before columns: the changes that are locked; by default all.
        columns: the locked columns; by default all that exist.
        all_but: the columns that stay open; all others are locked.
    """

    name: str
    when: str
    change: str = ""
    columns: tuple[str, ...] | None = None
    all_but: tuple[str, ...] = ()

    def list_columns(self, table: SqlTable) -> list[str]:
        """Return the locked columns, without those that the database computes."""
        return [
            column.name
            for column in table.columns
            if column.computed is None
            and (self.columns is None or column.name in self.columns)
            and column.name not in self.all_but
        ]

    @property
    def trigger(self) -> str:
        """The name of the trigger."""
        return f"lock_{self.name}"

    def build_statement(self, table: SqlTable) -> str:
        """Build the statement that creates the trigger."""
        columns = self.list_columns(table)
        old = ", ".join(f"OLD.{name}" for name in columns)
        new = ", ".join(f"NEW.{name}" for name in columns)
        when = f"{self.when} AND {self.change}" if self.change else self.when
        return (
            f"CREATE OR REPLACE TRIGGER {self.trigger} BEFORE UPDATE ON {table.name} "
            f"FOR EACH ROW WHEN ({when} AND ROW({old}) IS DISTINCT FROM ROW({new})) "
            "EXECUTE FUNCTION reject_change()"
        )
