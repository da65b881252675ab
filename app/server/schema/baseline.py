"""``baseline.sql``: the schema that the models declare, for reading and for comparison.

It creates the same database as all revisions together (``tests/server/schema``). ``make check``
reports each part of the models that differs from it: such a part lacks a revision.
"""

import re
import sys
from pathlib import Path

from sqlalchemy import Table as SqlTable
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateSequence, CreateTable, DDLElement

import app
from app.server.database.base import Table
from app.server.database.policies import build_table_statements
from app.server.schema.tables import metadata

BASELINE = Path(__file__).parent / "baseline.sql"
FUNCTIONS = Path(__file__).parent / "functions.sql"
_HEAD = """\
-- The schema as the models declare it. Written by `make revision`; compared by `make check` and the
-- tests, run by neither the portal nor a revision.
"""
_HEADING = re.compile(r"^-- (extensions and sequences|table \w+|scope of \w+|functions)$", re.M)
_dialect = postgresql.dialect()  # type: ignore[no-untyped-call]


def build_table_sql(table: SqlTable) -> str:
    """Return the statements that create a table and its indexes."""
    indexes = sorted(table.indexes, key=lambda index: str(index.name))
    statements = [
        compile_statement(CreateTable(table)),
        *(compile_statement(CreateIndex(index)) for index in indexes),
    ]
    return "".join(f"{text};\n" for text in statements)


def build_policies_sql(table: str) -> str:
    """Return the statements for the policies, grants, and locks of a table."""
    return "".join(f"{text};\n" for text in build_table_statements(table))


def compile_statement(element: DDLElement) -> str:
    """Return a statement of SQLAlchemy as readable SQL."""
    text = str(element.compile(dialect=_dialect))
    return "\n".join(line.rstrip().replace("\t", "    ") for line in text.strip().splitlines())


def build_schema_parts() -> dict[str, str]:
    """Return the statements of the schema by heading, in an order in which they can run."""
    sequences = metadata._sequences.values()
    parts = {
        "extensions and sequences": "CREATE EXTENSION IF NOT EXISTS pg_trgm;\n"
        + "".join(f"{compile_statement(CreateSequence(sequence))};\n" for sequence in sequences)
    }
    for table in metadata.sorted_tables:
        parts[f"table {table.name}"] = build_table_sql(table)
    # Policies and locks call functions.
    parts["functions"] = FUNCTIONS.read_text(encoding="utf-8")
    for table in metadata.sorted_tables:
        parts[f"scope of {table.name}"] = build_policies_sql(table.name)
    return parts


def write_baseline() -> None:
    """Write ``baseline.sql``."""
    parts = (f"\n-- {heading}\n{text}" for heading, text in build_schema_parts().items())
    BASELINE.write_text(_HEAD + "".join(parts), encoding="utf-8")


def find_unrevised_parts(committed_sql: str | None = None) -> list[str]:
    """Return a line for each part of the schema that differs from ``baseline.sql``."""
    if committed_sql is None:
        committed_sql = BASELINE.read_text(encoding="utf-8") if BASELINE.exists() else ""
    pieces = _HEADING.split(committed_sql)[1:]
    recorded_parts = dict(zip(pieces[::2], pieces[1::2], strict=True))
    declared_parts = build_schema_parts()
    headings = [
        heading
        for heading in {**declared_parts, **recorded_parts}
        if declared_parts.get(heading, "").strip() != recorded_parts.get(heading, "").strip()
    ]
    return [
        f"{_find_path(heading)}: {heading} has no revision: run make revision NAME='...'"
        for heading in headings
    ]


def _find_path(heading: str) -> str:
    for mapper in Table.registry.mappers:
        if mapper.class_.__tablename__ == heading.rpartition(" ")[2]:
            module = sys.modules[mapper.class_.__module__]
            return str(Path(module.__file__ or "").relative_to(Path(app.__path__[0]).parent))
    return f"app/server/schema/{'functions' if heading == 'functions' else 'baseline'}.sql"
