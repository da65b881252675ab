"""Alembic revisions. What the first sixteen run besides is in ``sql/``, under their numbers.

A revision never changes once another one follows it or it is released: ``frozen.txt`` holds the
digests, and ``make check`` compares them. Newer ones carry their SQL themselves
(``make revision``).
"""

from pathlib import Path

from alembic import op

_SQL = Path(__file__).parent / "sql"


def run_script(name: str) -> None:
    """Run a file of several statements from ``sql/`` as it is, without parameters."""
    run_text((_SQL / name).read_text(encoding="utf-8"))


def run_text(statements: str) -> None:
    """Run several statements as they are, without parameters."""
    connection = op.get_bind().connection.driver_connection
    assert connection is not None
    connection.execute(statements.encode())
