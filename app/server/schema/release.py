"""The schema of the last release, on which the next one's revisions must leave it running.

While a new release starts, the previous one still serves: it reads and writes the new schema. So
revisions expand first (new tables, new columns that may be left out), and a later release contracts
what no running one uses any more. See ``docs/adr/0021-frozen-revisions.md``.
"""

import json
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path

from alembic import command
from alembic.script import ScriptDirectory

from app.basics.version import VERSION
from app.server.schema.migrate import alembic_config
from app.server.schema.tables import metadata

RELEASE = Path(__file__).parent / "release.json"
Columns = dict[str, list[str]]
_STATEMENT_END = re.compile(r";\s*$", re.M)
_DOLLARS = re.compile(r"(\$\w*\$).*?\1", re.S)
_LOSSES = ((r"^DROP (SEQUENCE|FUNCTION|TYPE|SCHEMA|VIEW|TRIGGER)\b", "drops what it may use"),)
_LOSSES_OF_TABLES = (
    (r"\bDROP (TABLE|COLUMN)\b", "drops what it uses"),
    (r"\bRENAME\b", "renames what it uses"),
    (r"\bSET NOT NULL\b", "requires a column that it may leave empty"),
    (r"\bDROP DEFAULT\b", "takes a default away that it relies on"),
    (r"\bALTER COLUMN \S+ (SET DATA )?TYPE\b", "changes the type of a column"),
    (r"\bADD (CONSTRAINT \S+ )?(CHECK|UNIQUE|EXCLUDE)\b", "refuses rows that it may write"),
    (r"^CREATE UNIQUE INDEX\b", "refuses rows that it may write"),
    (r"^CREATE INDEX (?!CONCURRENTLY\b)", "stops its writers for as long as the index is made"),
    (r"^REVOKE\b", "takes a right away that it may need"),
)
_REQUIRED = re.compile(r"\bADD COLUMN \S+ (?!.*\b(DEFAULT|GENERATED)\b).*\bNOT NULL\b", re.S | re.I)
_POLICY_MADE = re.compile(r"CREATE POLICY \w+ ON \w+")
_TABLE = re.compile(
    r"\b(?:TABLE|ON|INDEX|FROM)\s+(?:IF EXISTS\s+|ONLY\s+)*(?:public\.)?(\w+)", re.I
)


def write_release(revision: str) -> None:
    """Note the schema of the version that is about to be tagged."""
    tables = {
        table.name: [column.name for column in table.columns if column.computed is None]
        for table in metadata.sorted_tables
    }
    content = {"version": VERSION, "revision": revision, "tables": tables}
    RELEASE.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def released() -> tuple[str, Columns]:
    """The last release's newest revision, and by table the columns that it reads and writes."""
    content = json.loads(RELEASE.read_text(encoding="utf-8"))
    return content["revision"], content["tables"]


def contractions(sql: str, tables: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The statements that break a release with these tables, each with the reason."""
    known = set(tables)
    statements = list(_statements(sql))
    made = {match[0] for text in statements if (match := _POLICY_MADE.match(text))}
    for text in statements:
        reasons = [reason for pattern, reason in _LOSSES if re.search(pattern, text, re.I)]
        if known.intersection(_TABLE.findall(text)):
            reasons += [r for pattern, r in _LOSSES_OF_TABLES if re.search(pattern, text, re.I)]
            if _REQUIRED.search(text):
                reasons.append("requires a column that it does not write")
            if text.startswith("DROP POLICY") and text.replace("DROP", "CREATE", 1) not in made:
                reasons.append("hides rows that it may need")
        if reasons:
            yield text, reasons[0]


def breaking_revisions() -> list[str]:
    """A line for each statement since the release that breaks it, led by the revision's file."""
    newest, tables = released()
    script = ScriptDirectory.from_config(alembic_config("postgresql://nobody"))
    lines = []
    for revision in reversed(list(script.iterate_revisions("head", newest))):
        contracts = getattr(revision.module, "contracts", None)
        if contracts is not None and contracts <= newest:
            continue
        path = f"app/server/schema/migrations/versions/{Path(revision.module.__file__ or '').name}"
        sql = _offline_sql(str(revision.down_revision), revision.revision)
        lines += [
            f"{path}: the previous release runs on this schema, and this {reason}:"
            f" {' '.join(text.split())[:80]}"
            for text, reason in contractions(sql, tables)
        ]
    return lines


def _offline_sql(before: str, revision: str) -> str:
    written = StringIO()
    config = alembic_config("postgresql://nobody")
    config.output_buffer = written
    command.upgrade(config, f"{before}:{revision}", sql=True)
    return written.getvalue()


def _statements(sql: str) -> Iterator[str]:
    plain = _DOLLARS.sub("$$", re.sub(r"^\s*--.*$", "", sql, flags=re.M))
    yield from (text.strip() for text in _STATEMENT_END.split(plain) if text.strip())
