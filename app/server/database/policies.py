"""Row-level security statements, derived from the scope declarations of the tables.

A migration holds the derived text as of its writing; a test compares the migrated database with
the current declarations.
"""

from app.server.database.base import declared_scopes

_PRIVILEGES = {"S": "SELECT", "I": "INSERT", "U": "UPDATE", "D": "DELETE"}


def build_table_statements(table: str) -> list[str]:
    """Build the grants and policies of a table, to be run by its owner."""
    statements = [f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"]
    policies = build_policy_statements(table)
    for role, privileges in get_privileges(table).items():
        statements.append(f"GRANT {', '.join(privileges)} ON {table} TO {role}")
        statements += [policies[_build_policy_name(role, privilege)] for privilege in privileges]
    return statements


def get_privileges(table: str) -> dict[str, list[str]]:
    """Return the privileges on a table by database role."""
    rules = declared_scopes[table].build_rules(table)
    return {
        role: [_PRIVILEGES[letter] for letter in rule.privileges]
        for role, rule in sorted(rules.items())
    }


def build_policy_statements(table: str) -> dict[str, str]:
    """Build the CREATE POLICY statements of a table, by policy name."""
    statements = {}
    for role, rule in sorted(declared_scopes[table].build_rules(table).items()):
        for letter in rule.privileges:
            command = _PRIVILEGES[letter]
            using = "" if letter == "I" else f" USING ({rule.rows})"
            check = f" WITH CHECK ({rule.writes or rule.rows})" if letter in "IU" else ""
            name = _build_policy_name(role, command)
            statements[name] = (
                f"CREATE POLICY {name} ON {table} FOR {command} TO {role}{using}{check}"
            )
    return statements


def _build_policy_name(role: str, privilege: str) -> str:
    return f"{role}_{privilege.lower()}"
