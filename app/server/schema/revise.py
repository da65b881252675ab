"""Writes the next revision from the differences between declarations and migrated schema.

The command is ``make revision NAME='add supplies'``. A revision has literal SQL, so later changes
of the code do not change it. Indexes of tables in use get a separate revision, which creates them
without blocking writers. See ``docs/adr/0021-frozen-revisions.md``.
"""

import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from alembic.autogenerate import produce_migrations
from alembic.migration import MigrationContext
from alembic.operations import Operations, ops
from sqlalchemy import Connection, create_engine, inspect
from sqlalchemy.schema import CreateIndex

from app.server.database.base import declared_locks
from app.server.database.embedded import EmbeddedPostgres
from app.server.database.policies import (
    build_lock_statements,
    build_policy_statements,
    build_table_statements,
)
from app.server.schema.baseline import (
    FUNCTIONS,
    compile_statement,
    find_unrevised_parts,
    write_baseline,
)
from app.server.schema.frozen import (
    MIGRATIONS,
    find_revision_files,
    freeze_earlier,
    freeze_revisions,
)
from app.server.schema.migrate import migrate_database
from app.server.schema.release import write_release
from app.server.schema.tables import INDEXES_COMPARED_BY_NAME, is_compared, metadata

_BIND = re.compile(r"(?<![:\w\\]):(?=\w)(?!\w+:)")
"""A colon that SQLAlchemy would read as the start of a parameter."""
_POLICIES = "SELECT policyname, cmd, qual, with_check, roles FROM pg_policies WHERE tablename = %s"
_GRANTS = """
    SELECT g.grantee::regrole::text, g.privilege_type, ''
    FROM pg_class c, aclexplode(c.relacl) g
    WHERE c.oid = 'public.{table}'::regclass AND g.grantee::regrole::text LIKE 'as\\_%'
    UNION ALL
    SELECT g.grantee::regrole::text, g.privilege_type, a.attname::text
    FROM pg_attribute a, aclexplode(a.attacl) g
    WHERE a.attrelid = 'public.{table}'::regclass
"""
_Grant = tuple[str, str, str]
"""A role, its privilege, and the column that it is limited to, or ''."""
_LOCKS = """
    SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger
    WHERE tgrelid = 'public.{table}'::regclass AND tgname LIKE 'lock\\_%'
"""
_FUNCTIONS_AND_GRANTS = """
    SELECT p.oid::regprocedure::text, pg_get_functiondef(p.oid), p.proacl::text FROM pg_proc p
    WHERE p.pronamespace IN ('public'::regnamespace, 'jobs'::regnamespace)
        AND p.prokind = 'f' AND NOT EXISTS (
            SELECT 1 FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
    UNION ALL
    SELECT 'trigger', pg_get_triggerdef(oid), '' FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL
    SELECT relname, relkind::text, relacl::text FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'
    UNION ALL SELECT nspname, '', nspacl::text FROM pg_namespace
    ORDER BY 1, 2
"""


@dataclass
class Difference:
    """The statements that bring a database to the declared schema.

    Attributes:
        statements: change tables, columns, constraints, scopes and functions.
        indexes: create indexes of existing tables; each can run again after a failure.
    """

    statements: list[str] = field(default_factory=list)
    indexes: list[str] = field(default_factory=list)


def run(arguments: list[str]) -> int:
    """Run the ``revision`` command, and return the exit code."""
    if arguments == ["--freeze"]:
        newest = list(find_revision_files())[-1]
        freeze_revisions(newest)
        write_release(newest)
        return 0
    name = " ".join(arguments).strip().rstrip(".")
    if not re.fullmatch(r"[A-Za-z][\w ,-]*", name):
        sys.stderr.write("usage: make revision NAME='add supplies'\n")
        return 2
    # A revision that only changes data is written by hand; this freezes those before it.
    freeze_earlier()
    with _create_scratch_database() as url:
        migrate_database(url, "nobody")
        engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://", 1))
        with engine.connect() as connection:
            difference = find_difference(connection)
        engine.dispose()
    paths = list(write_revision(name, difference))
    for path in paths:
        sys.stdout.write(f"{path.relative_to(Path.cwd())}\n")
    if not paths and not find_unrevised_parts():
        sys.stdout.write("nothing to do: the revisions create all that the models declare\n")
        return 0
    write_baseline()
    return 0


def find_difference(connection: Connection) -> Difference:
    """Return the statements that the database lacks; the database stays unchanged."""
    difference = Difference()
    tables = set(inspect(connection).get_table_names())
    _compare_tables(connection, difference, tables)
    for text in difference.statements:
        connection.exec_driver_sql(_escape_percent(text))
    # Policies and locks call functions.
    difference.statements += _find_changed_functions(connection)
    for table in metadata.sorted_tables:
        if table.name in tables:
            difference.statements += _find_scope_changes(connection, table.name)
            difference.statements += _find_lock_changes(connection, table.name)
        else:
            difference.statements += build_table_statements(table.name)
            for text in build_table_statements(table.name):
                connection.exec_driver_sql(_escape_percent(text))
    connection.rollback()
    return difference


def write_revision(
    name: str, difference: Difference, migrations: Path = MIGRATIONS
) -> Iterator[Path]:
    """Write the revision, then one for indexes of tables in use, and freeze earlier ones.

    Each is written only if it has statements.
    """
    newest = list(find_revision_files(migrations))[-1]
    if difference.statements:
        freeze_revisions(newest, migrations)
        yield _write_file(migrations, newest, name, _UPGRADE, difference.statements)
        newest = f"{int(newest) + 1:04}"
    if difference.indexes:
        freeze_revisions(newest, migrations)
        yield _write_file(migrations, newest, f"{name}, indexes", _CONCURRENTLY, difference.indexes)


@contextmanager
def _create_scratch_database() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="portal-revision-") as folder:
        Path(folder).chmod(0o755)
        cluster = EmbeddedPostgres(Path(folder), "nobody")
        cluster.start()
        try:
            yield cluster.url
        finally:
            cluster.stop()


def _compare_tables(connection: Connection, difference: Difference, tables: set[str]) -> None:
    context = MigrationContext.configure(
        connection, opts={"compare_type": True, "include_object": is_compared}
    )
    upgrade_ops = produce_migrations(context, metadata).upgrade_ops
    assert upgrade_ops is not None
    output = StringIO()
    offline = MigrationContext.configure(
        dialect_name="postgresql", opts={"as_sql": True, "output_buffer": output}
    )
    operations = Operations(offline)
    index_names = {
        name for (name,) in connection.exec_driver_sql("SELECT indexname FROM pg_indexes")
    }
    for operation in _flatten_operations(upgrade_ops.ops):
        if isinstance(operation, ops.CreateIndexOp) and operation.table_name in tables:
            difference.indexes += _build_index_statements(str(operation.index_name))
        elif isinstance(operation, ops.DropIndexOp) and operation.table_name in tables:
            name = str(operation.index_name)
            if f"DROP INDEX CONCURRENTLY IF EXISTS {name}" not in difference.indexes:
                difference.indexes.append(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        else:
            operations.invoke(_strip_column(operation))
    for table in metadata.sorted_tables:
        for index in table.indexes:
            name = str(index.name)
            if name.endswith(INDEXES_COMPARED_BY_NAME) and name not in index_names:
                if table.name in tables:
                    difference.indexes += _build_index_statements(name)
                else:
                    operations.invoke(ops.CreateIndexOp.from_index(index))
    for name in _find_indexes_with_other_columns(connection, tables):
        difference.indexes += _build_index_statements(name)
    difference.statements += [
        _strip_lines(text) for text in output.getvalue().split(";\n") if text.strip()
    ]


def _find_indexes_with_other_columns(connection: Connection, tables: set[str]) -> Iterator[str]:
    """Find the indexes whose INCLUDE differs, which Alembic does not compare."""
    for table in metadata.sorted_tables:
        if table.name not in tables:
            continue
        existing = {
            index["name"]: index.get("dialect_options", {}).get("postgresql_include", [])
            for index in inspect(connection).get_indexes(table.name)
        }
        for index in table.indexes:
            declared_columns = index.dialect_options["postgresql"]["include"] or []
            name = str(index.name)
            if name in existing and set(existing[name]) != set(declared_columns):
                yield name


def _flatten_operations(
    operations: Iterable[ops.MigrateOperation],
) -> Iterator[ops.MigrateOperation]:
    for operation in operations:
        if isinstance(operation, ops.ModifyTableOps):
            yield from _flatten_operations(operation.ops)
        else:
            yield operation


def _strip_column(operation: ops.MigrateOperation) -> ops.MigrateOperation:
    if isinstance(operation, ops.AddColumnOp):
        # The index, constraints and references of the column are separate operations.
        column = operation.column._copy()
        column.index = column.unique = None
        return ops.AddColumnOp(operation.table_name, column)
    return operation


def _build_index_statements(name: str) -> list[str]:
    [index] = [
        index
        for table in metadata.tables.values()
        for index in table.indexes
        if str(index.name) == name
    ]
    text = compile_statement(CreateIndex(index)).replace(" INDEX ", " INDEX CONCURRENTLY ", 1)
    # An interrupted attempt leaves an invalid index of that name.
    return [f"DROP INDEX CONCURRENTLY IF EXISTS {name}", text]


def _find_scope_changes(connection: Connection, table: str) -> list[str]:
    """Run and return the statements that give a table its declared policies and grants."""
    policies, grants = _load_scope(connection, table)
    savepoint = connection.begin_nested()
    texts = [f"DROP POLICY {policy} ON {table}" for policy in policies]
    if grants:
        roles = ", ".join(sorted({role for role, *_ in grants}))
        texts.append(f"REVOKE ALL ON {table} FROM {roles}")
    texts += build_table_statements(table)
    # One round trip, because a table has dozens of them.
    connection.exec_driver_sql(_escape_percent(";\n".join(texts)))
    declared_policies, declared_grants = _load_scope(connection, table)
    savepoint.rollback()
    statements = build_policy_statements(table)
    changes = [
        f"DROP POLICY {policy} ON {table}"
        for policy, value in sorted(policies.items())
        if declared_policies.get(policy) != value
    ]
    changes += [
        statements[policy]
        for policy, value in sorted(declared_policies.items())
        if policies.get(policy) != value
    ]
    changes += [
        f"REVOKE {privileges} ON {table} FROM {role}"
        for role, privileges in _join_privileges(grants - declared_grants)
    ]
    changes += [
        f"GRANT {privileges} ON {table} TO {role}"
        for role, privileges in _join_privileges(declared_grants - grants)
    ]
    for text in changes:
        connection.exec_driver_sql(_escape_percent(text))
    return changes


def _join_privileges(grants: Iterable[_Grant]) -> Iterator[tuple[str, str]]:
    """Return each role with its privileges, for example 'DELETE, UPDATE (bed, status)'."""
    columns_by_role: dict[str, dict[str, list[str]]] = {}
    for role, privilege, column in sorted(grants):
        columns = columns_by_role.setdefault(role, {}).setdefault(privilege, [])
        if column:
            columns.append(column)
    for role, privileges in columns_by_role.items():
        yield (
            role,
            ", ".join(
                f"{privilege} ({', '.join(columns)})" if columns else privilege
                for privilege, columns in privileges.items()
            ),
        )


def _load_scope(
    connection: Connection, table: str
) -> tuple[dict[str, tuple[str, ...]], set[_Grant]]:
    policies = {
        str(name): tuple(str(value) for value in rest)
        for name, *rest in connection.exec_driver_sql(_POLICIES, (table,))
    }
    text = _escape_percent(_GRANTS.format(table=table))
    grants = {(role, name, column) for role, name, column in connection.exec_driver_sql(text)}
    return policies, grants


def _find_lock_changes(connection: Connection, table: str) -> list[str]:
    """Run and return the statements that give a table its declared locks."""
    before = _load_locks(connection, table)
    statements = build_lock_statements(table)
    savepoint = connection.begin_nested()
    for trigger in before:
        connection.exec_driver_sql(f"DROP TRIGGER {trigger} ON {table}")
    for text in statements:
        connection.exec_driver_sql(_escape_percent(text))
    model_locks = _load_locks(connection, table)
    savepoint.rollback()
    changes = [
        f"DROP TRIGGER {trigger} ON {table}"
        for trigger in sorted(before.keys() - model_locks.keys())
    ]
    for lock, text in zip(declared_locks[table], statements, strict=True):
        if before.get(lock.trigger) != model_locks[lock.trigger]:
            changes.append(text)
    for text in changes:
        connection.exec_driver_sql(_escape_percent(text))
    return changes


def _load_locks(connection: Connection, table: str) -> dict[str, str]:
    rows = connection.exec_driver_sql(_escape_percent(_LOCKS.format(table=table)))
    return {str(name): str(definition) for name, definition in rows}


def _find_changed_functions(connection: Connection) -> list[str]:
    """Run the numbered parts of ``functions.sql``, and return those that changed the database."""
    changed_functions = []
    before = connection.exec_driver_sql(_FUNCTIONS_AND_GRANTS).fetchall()
    parts = re.split(r"^-- \d+\. ", FUNCTIONS.read_text(encoding="utf-8"), flags=re.M)
    for part in parts[1:]:
        text = f"-- {part.strip()}".removesuffix(";")
        connection.exec_driver_sql(_escape_percent(text))
        after = connection.exec_driver_sql(_FUNCTIONS_AND_GRANTS).fetchall()
        if after != before:
            changed_functions.append(text)
        before = after
    return changed_functions


def _strip_lines(text: str) -> str:
    return "\n".join(line.rstrip().replace("\t", "    ") for line in text.strip().splitlines())


def _escape_percent(text: str) -> str:
    # The driver reads a percent sign as the start of a parameter.
    return text.replace("%", "%%")


_HEAD = '''"""{title}."""

from alembic import op

revision: str = "{number}"
down_revision: str | None = "{before}"
# The revision whose expansion this one completes; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
{sql}
"""
'''
_UPGRADE = '''

def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
'''
_CONCURRENTLY = '''

def upgrade() -> None:
    """Apply: writers continue meanwhile, so it takes as long as the longest statement that runs."""
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        for statement in _SQL.split(";"):
            if statement.strip():
                op.execute(statement)
        op.execute("RESET lock_timeout")
'''


def _write_file(
    migrations: Path, before: str, name: str, upgrade: str, statements: list[str]
) -> Path:
    number = f"{int(before) + 1:04}"
    slug = re.sub(r"\W+", "_", name.lower()).strip("_")
    sql = "".join(f"{text};\n" for text in statements).rstrip()
    head = _HEAD.format(
        title=name[0].upper() + name[1:],
        number=number,
        before=before,
        sql=_BIND.sub(r"\\:", sql),
    )
    path = migrations / "versions" / f"{number}_{slug}.py"
    path.write_text(head + upgrade, encoding="utf-8")
    return path
