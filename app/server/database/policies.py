"""Row-level security statements, derived from the scope declarations of the tables.

A revision contains the text derived when it was written; a test compares the migrated database
with the current declarations.
"""

from collections.abc import Iterator

from app.server.database.base import declared_locks, declared_scopes, declared_writes, metadata
from app.server.database.scope import OwnRows, Through

_PRIVILEGES = {"S": "SELECT", "I": "INSERT", "U": "UPDATE", "D": "DELETE"}


def build_table_statements(table: str) -> list[str]:
    """Build the grants, policies, and locks of a table, to be run by its owner."""
    statements = [f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"]
    policies = build_policy_statements(table)
    for role, privileges in get_privileges(table).items():
        statements.append(f"GRANT {', '.join(privileges)} ON {table} TO {role}")
        statements += [
            policies[_build_policy_name(role, privilege.split()[0])] for privilege in privileges
        ]
    return statements + build_lock_statements(table)


def build_lock_statements(table: str) -> list[str]:
    """Build the triggers that protect locked rows of a table; they need ``functions.sql``."""
    return [lock.build_statement(metadata.tables[table]) for lock in declared_locks[table]]


def get_privileges(table: str) -> dict[str, list[str]]:
    """Return the privileges on a table by database role, such as 'SELECT' and 'UPDATE (a, b)'."""
    rules = declared_scopes[table].build_rules(table)
    return {
        role: list(_list_privileges(table, role, rule.privileges))
        for role, rule in sorted(rules.items())
    }


def _list_privileges(table: str, role: str, letters: str) -> Iterator[str]:
    writes, scope = declared_writes[table], declared_scopes[table]
    # Nobody may move a part to another record, or a user's own row to another user.
    owner = (scope.column,) if isinstance(scope, Through | OwnRows) else ()
    for letter in letters:
        columns: list[str] | None = None
        if letter == "U":
            columns = writes.list_updatable_columns(metadata.tables[table], role, owner)
        elif letter == "I":
            columns = writes.list_insertable_columns(metadata.tables[table])
        if columns is None:
            yield _PRIVILEGES[letter]
        elif columns:
            yield f"{_PRIVILEGES[letter]} ({', '.join(columns)})"


def build_policy_statements(table: str) -> dict[str, str]:
    """Build the CREATE POLICY statements of a table, by policy name."""
    statements = {}
    rules = declared_scopes[table].build_rules(table)
    for role, privileges in get_privileges(table).items():
        rule = rules[role]
        for command in (privilege.split()[0] for privilege in privileges):
            rows = (rule.deletes or rule.rows) if command == "DELETE" else rule.rows
            using = "" if command == "INSERT" else f" USING ({rows})"
            checks = {
                "INSERT": rule.inserts or rule.writes or rule.rows,
                "UPDATE": rule.writes or rule.rows,
            }
            check = f" WITH CHECK ({checks[command]})" if command in checks else ""
            name = _build_policy_name(role, command)
            statements[name] = (
                f"CREATE POLICY {name} ON {table} FOR {command} TO {role}{using}{check}"
            )
    return statements


def _build_policy_name(role: str, privilege: str) -> str:
    return f"{role}_{privilege.lower()}"
