"""Alembic revisions. The first sixteen also run scripts of ``sql/`` with the same number.

A revision never changes after it is released or another follows it: ``make check`` compares it
with its digest in ``frozen.txt``. Newer revisions contain their SQL (``make revision``).
"""

from pathlib import Path

from alembic import op

_SQL = Path(__file__).parent / "sql"


def run_script(name: str) -> None:
    """Run the statements of a file in ``sql/``, without parameters."""
    run_text((_SQL / name).read_text(encoding="utf-8"))


def run_text(statements: str) -> None:
    """Run several statements, without parameters."""
    connection = op.get_bind().connection.driver_connection
    assert connection is not None
    connection.execute(statements.encode())
