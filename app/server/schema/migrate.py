"""Migrates a database to the current schema and creates the application's login.

It runs as the owner. An advisory lock lets one of several starting portals do the work.
"""

import logging
from pathlib import Path
from time import sleep

import psycopg
from alembic import command
from alembic.config import Config
from psycopg import errors, sql
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from app.server.database.scope import DATABASE_ROLES
from app.server.schema.names import APP_LOGIN, BusyTableError, UnsupportedDatabaseError

_LOCK = 7_305_118
_MINIMUM_VERSION = 150_000
_PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8)  # seconds between attempts
_LOCK_PAUSES = (1, 2, 4, 8, 15)
LOCK_MILLISECONDS = 5000
"""How long a revision waits for a table; other statements on the table queue behind it."""


def build_alembic_config(owner_url: str) -> Config:
    """Build Alembic's configuration for a database, in place of an alembic.ini."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["url"] = owner_url
    config.attributes["lock_milliseconds"] = LOCK_MILLISECONDS
    return config


def migrate_database(owner_url: str, app_password: str) -> str:
    """Migrate to the newest revision and return the application login's URL.

    Raises:
        UnsupportedDatabaseError: PostgreSQL older than 15.
    """
    logging.getLogger("alembic").setLevel(logging.WARNING)
    with psycopg.connect(owner_url, autocommit=True) as connection:
        if connection.info.server_version < _MINIMUM_VERSION:
            raise UnsupportedDatabaseError("PostgreSQL 15 or newer is needed.")
        _acquire_lock(connection)
        try:
            create_logins(connection, app_password)
            _forbid_temporary_tables(connection)
            upgrade_schema(owner_url)
        finally:
            connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))
    url = make_url(owner_url).set(username=APP_LOGIN, password=app_password)
    return url.render_as_string(hide_password=False)


def upgrade_schema(owner_url: str, revision: str = "head") -> None:
    """Run the revisions up to this one, and retry a revision whose table is busy.

    Earlier revisions stay applied, so a retry continues with the one that failed.

    Raises:
        BusyTableError: the table stayed busy.
    """
    for seconds in (*_LOCK_PAUSES, None):
        try:
            command.upgrade(build_alembic_config(owner_url), revision)
            return
        except (OperationalError, errors.LockNotAvailable) as error:
            cause = error.orig if isinstance(error, OperationalError) else error
            if not isinstance(cause, errors.LockNotAvailable):
                raise
            if seconds is None:
                raise BusyTableError(
                    "The schema could not be changed because a table is busy. Start the portal "
                    "again when no long statement runs on the database."
                ) from None
            sleep(seconds)


def _acquire_lock(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Acquire the advisory lock by polling.

    A statement that waits for the lock would hold a snapshot, and CREATE INDEX CONCURRENTLY of the
    portal that has the lock would wait for the end of that snapshot.
    """
    while connection.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK,)).fetchone() != (True,):
        sleep(_PAUSES[1])


def create_logins(connection: psycopg.Connection[tuple[object, ...]], password: str) -> None:
    """Create the roles and the login, and retry while another portal does the same.

    Roles belong to the whole server and the advisory lock to one database. PostgreSQL rejects the
    later of two concurrent changes to a role.
    """
    for seconds in (*_PAUSES, None):
        try:
            _create_logins(connection, password)
            return
        except (errors.InternalError_, errors.UniqueViolation, errors.DuplicateObject):
            if seconds is None:
                raise
            sleep(seconds)


def _create_logins(connection: psycopg.Connection[tuple[object, ...]], password: str) -> None:
    for role in DATABASE_ROLES:
        _create_role(connection, role, "NOLOGIN")
    # NOINHERIT: the login can read nothing until its transaction sets a role.
    _create_role(connection, APP_LOGIN, "LOGIN NOINHERIT")
    connection.execute(
        sql.SQL("ALTER ROLE {} PASSWORD {}").format(
            sql.Identifier(APP_LOGIN), sql.Literal(password)
        )
    )
    for role in DATABASE_ROLES:
        connection.execute(
            sql.SQL("GRANT {} TO {}").format(sql.Identifier(role), sql.Identifier(APP_LOGIN))
        )


def _forbid_temporary_tables(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Allow only the owner to create temporary tables.

    A temporary table hides the table of the same name until its connection closes, and the pool
    gives the connection to other people. So one person could show invented rows to another.
    """
    database = sql.Identifier(connection.info.dbname)
    connection.execute(sql.SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC").format(database))


def _create_role(
    connection: psycopg.Connection[tuple[object, ...]], name: str, attributes: str
) -> None:
    row = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (name,)).fetchone()
    if row is None:
        connection.execute(f"CREATE ROLE {name} {attributes}".encode())
