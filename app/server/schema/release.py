"""Finds revisions that break the last release, whose schema is in ``release.json``.

While a new release starts, the previous one reads and writes the new schema. So revisions only add
tables and optional columns, and a later release drops what no running release uses. See
``docs/adr/0021-frozen-revisions.md``.
"""

import json
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path

from alembic import command
from alembic.script import ScriptDirectory

from app.basics.version import VERSION
from app.server.schema.migrate import build_alembic_config
from app.server.schema.tables import metadata

RELEASE = Path(__file__).parent / "release.json"
Columns = dict[str, list[str]]
_STATEMENT_END = re.compile(r";\s*$", re.M)
_DOLLARS = re.compile(r"(\$\w*\$).*?\1", re.S)
_CONTRACTIONS = (
    (r"^DROP (SEQUENCE|FUNCTION|TYPE|SCHEMA|VIEW|TRIGGER)\b", "drops what it may use"),
)
_TABLE_CONTRACTIONS = (
    (r"\bDROP (TABLE|COLUMN)\b", "drops what it uses"),
    (r"\bRENAME\b", "renames what it uses"),
    (r"\bSET NOT NULL\b", "requires a column that it may leave empty"),
    (r"\bDROP DEFAULT\b", "drops a default that it relies on"),
    (r"\bALTER COLUMN \S+ (SET DATA )?TYPE\b", "changes the type of a column"),
    (r"\bADD (CONSTRAINT \S+ )?(CHECK|UNIQUE|EXCLUDE)\b", "rejects rows that it may write"),
    (r"^CREATE UNIQUE INDEX\b", "rejects rows that it may write"),
    (r"^CREATE INDEX (?!CONCURRENTLY\b)", "blocks its writers while the index is built"),
    (r"^REVOKE\b", "revokes a privilege that it may need"),
)
_ADD_REQUIRED = re.compile(
    r"\bADD COLUMN \S+ (?!.*\b(DEFAULT|GENERATED)\b).*\bNOT NULL\b", re.S | re.I
)
_CREATE_POLICY = re.compile(r"CREATE POLICY \w+ ON \w+")
_TABLE = re.compile(
    r"\b(?:TABLE|ON|INDEX|FROM)\s+(?:IF EXISTS\s+|ONLY\s+)*(?:public\.)?(\w+)", re.I
)


def write_release(revision: str) -> None:
    """Record the schema of the version that will be tagged."""
    tables = {
        table.name: [column.name for column in table.columns if column.computed is None]
        for table in metadata.sorted_tables
    }
    content = {"version": VERSION, "revision": revision, "tables": tables}
    RELEASE.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def load_release() -> tuple[str, Columns]:
    """Return the last release's newest revision, and its tables with their columns."""
    content = json.loads(RELEASE.read_text(encoding="utf-8"))
    return content["revision"], content["tables"]


def find_contractions(sql: str, tables: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Find the statements that break a release with these tables, each with the reason."""
    table_names = set(tables)
    statements = list(_split_statements(sql))
    created_policies = {match[0] for text in statements if (match := _CREATE_POLICY.match(text))}
    for text in statements:
        reasons = [reason for pattern, reason in _CONTRACTIONS if re.search(pattern, text, re.I)]
        if table_names.intersection(_TABLE.findall(text)):
            reasons += [r for pattern, r in _TABLE_CONTRACTIONS if re.search(pattern, text, re.I)]
            if _ADD_REQUIRED.search(text):
                reasons.append("requires a column that it does not write")
            if (
                text.startswith("DROP POLICY")
                and text.replace("DROP", "CREATE", 1) not in created_policies
            ):
                reasons.append("hides rows that it may need")
        if reasons:
            yield text, reasons[0]


def find_breaking_revisions() -> list[str]:
    """Return a line for each statement since the last release that breaks that release."""
    newest, tables = load_release()
    script = ScriptDirectory.from_config(build_alembic_config("postgresql://nobody"))
    lines = []
    for revision in reversed(list(script.iterate_revisions("head", newest))):
        contracts = getattr(revision.module, "contracts", None)
        if contracts is not None and contracts <= newest:
            continue
        path = f"app/server/schema/migrations/versions/{Path(revision.module.__file__ or '').name}"
        sql = _render_sql(str(revision.down_revision), revision.revision)
        lines += [
            f"{path}: the previous release runs on this schema, and this {reason}:"
            f" {' '.join(text.split())[:80]}"
            for text, reason in find_contractions(sql, tables)
        ]
    return lines


def _render_sql(down_revision: str, revision: str) -> str:
    output = StringIO()
    config = build_alembic_config("postgresql://nobody")
    config.output_buffer = output
    command.upgrade(config, f"{down_revision}:{revision}", sql=True)
    return output.getvalue()


def _split_statements(sql: str) -> Iterator[str]:
    plain_sql = _DOLLARS.sub("$$", re.sub(r"^\s*--.*$", "", sql, flags=re.M))
    yield from (text.strip() for text in _STATEMENT_END.split(plain_sql) if text.strip())
