"""Services hold no SQL: import-linter checks their imports, and this test their texts."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import app.server

_SERVER = Path(app.server.__path__[0])
_SQL = re.compile(r"\s*(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|WITH \w+ AS)\b")
_SERVICES = sorted([*_SERVER.rglob("service.py"), *_SERVER.rglob("service/*.py")])
_HOLDS_SQL = "audit/service.py"
"""The statement of an audit row, which it adds to the statements of all slices."""


def list_statements(path: Path) -> Iterator[str]:
    """List the texts of a file that begin as SQL."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and _SQL.match(node.value)
        ):
            yield node.value


def test_services_hold_no_sql() -> None:
    statements = {
        path.relative_to(_SERVER).as_posix(): list(list_statements(path)) for path in _SERVICES
    }
    assert [name for name, texts in statements.items() if texts] == [_HOLDS_SQL]
