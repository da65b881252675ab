"""Row-level security statements, derived from the declarations on the tables.

A migration holds the derived text as it was when the migration was written; the test compares
what the database has with what the declarations say today.
"""

from app.server.database.base import declared_scopes

_PRIVILEGES = {"S": "SELECT", "I": "INSERT", "U": "UPDATE", "D": "DELETE"}


def table_statements(table: str) -> list[str]:
    """Grants and policies of one table, to be run by its owner."""
    statements = [f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"]
    policies = policy_statements(table)
    for role, privileges in granted(table).items():
        statements.append(f"GRANT {', '.join(privileges)} ON {table} TO {role}")
        statements += [policies[_policy_name(role, privilege)] for privilege in privileges]
    return statements


def granted(table: str) -> dict[str, list[str]]:
    """Database role -> the privileges that it has on a table."""
    rules = declared_scopes[table].rules(table)
    return {
        role: [_PRIVILEGES[letter] for letter in rule.privileges]
        for role, rule in sorted(rules.items())
    }


def policy_statements(table: str) -> dict[str, str]:
    """Name of a policy of this table -> the statement that makes it."""
    statements = {}
    for role, rule in sorted(declared_scopes[table].rules(table).items()):
        for letter in rule.privileges:
            command = _PRIVILEGES[letter]
            using = "" if letter == "I" else f" USING ({rule.rows})"
            check = f" WITH CHECK ({rule.writes or rule.rows})" if letter in "IU" else ""
            name = _policy_name(role, command)
            statements[name] = (
                f"CREATE POLICY {name} ON {table} FOR {command} TO {role}{using}{check}"
            )
    return statements


def _policy_name(role: str, privilege: str) -> str:
    return f"{role}_{privilege.lower()}"
