"""Row-level security statements, derived from the declarations on the tables.

A migration holds the derived text as it was when the migration was written; the test compares
what the database has with what the declarations say today.
"""

from app.server.database.base import declared_scopes

_PRIVILEGES = {"S": "SELECT", "I": "INSERT", "U": "UPDATE", "D": "DELETE"}


def table_statements(table: str) -> list[str]:
    """Grants and policies of one table, to be run by its owner."""
    statements = [f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"]
    for role, rule in sorted(declared_scopes[table].rules(table).items()):
        privileges = ", ".join(_PRIVILEGES[letter] for letter in rule.privileges)
        statements.append(f"GRANT {privileges} ON {table} TO {role}")
        for letter in rule.privileges:
            command = _PRIVILEGES[letter]
            using = "" if letter == "I" else f" USING ({rule.rows})"
            check = f" WITH CHECK ({rule.writes or rule.rows})" if letter in "IU" else ""
            name = f"{role}_{command.lower()}"
            statements.append(
                f"CREATE POLICY {name} ON {table} FOR {command} TO {role}{using}{check}"
            )
    return statements
