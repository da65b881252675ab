"""``baseline.sql``: the whole schema as the models declare it, for reading and for comparing.

A database made of it and one that ran every revision are the same (``tests/server/schema``), so
whoever changes a model without a revision differs from it: ``make check`` says where.
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


def table_sql(table: SqlTable) -> str:
    """A table's statements: itself and its indexes."""
    indexes = sorted(table.indexes, key=lambda index: str(index.name))
    statements = [
        statement(CreateTable(table)),
        *(statement(CreateIndex(each)) for each in indexes),
    ]
    return "".join(f"{each};\n" for each in statements)


def policies_sql(table: str) -> str:
    """Grants and policies of a table."""
    return "".join(f"{each};\n" for each in build_table_statements(table))


def statement(item: DDLElement) -> str:
    """One statement of SQLAlchemy's as people write it."""
    text = str(item.compile(dialect=_dialect))
    return "\n".join(line.rstrip().replace("\t", "    ") for line in text.strip().splitlines())


def schema_parts() -> dict[str, str]:
    """Heading -> statements, in the order in which they can be run."""
    sequences = metadata._sequences.values()
    parts = {
        "extensions and sequences": "CREATE EXTENSION IF NOT EXISTS pg_trgm;\n"
        + "".join(f"{statement(CreateSequence(each))};\n" for each in sequences)
    }
    for table in metadata.sorted_tables:
        parts[f"table {table.name}"] = table_sql(table)
    for table in metadata.sorted_tables:
        parts[f"scope of {table.name}"] = policies_sql(table.name)
    parts["functions"] = FUNCTIONS.read_text(encoding="utf-8")
    return parts


def write_baseline() -> None:
    """Write ``baseline.sql`` anew."""
    parts = (f"\n-- {heading}\n{text}" for heading, text in schema_parts().items())
    BASELINE.write_text(_HEAD + "".join(parts), encoding="utf-8")


def without_revision(committed: str | None = None) -> list[str]:
    """A line for each part of the schema that differs from ``baseline.sql``, led by its file."""
    if committed is None:
        committed = BASELINE.read_text(encoding="utf-8") if BASELINE.exists() else ""
    texts = _HEADING.split(committed)[1:]
    recorded = dict(zip(texts[::2], texts[1::2], strict=True))
    declared = schema_parts()
    differing = [
        heading
        for heading in {**declared, **recorded}
        if declared.get(heading, "").strip() != recorded.get(heading, "").strip()
    ]
    return [
        f"{_path(heading)}: {heading} has no revision: run make revision NAME='...'"
        for heading in differing
    ]


def _path(heading: str) -> str:
    for mapper in Table.registry.mappers:
        if mapper.class_.__tablename__ == heading.rpartition(" ")[2]:
            module = sys.modules[mapper.class_.__module__]
            return str(Path(module.__file__ or "").relative_to(Path(app.__path__[0]).parent))
    return f"app/server/schema/{'functions' if heading == 'functions' else 'baseline'}.sql"
