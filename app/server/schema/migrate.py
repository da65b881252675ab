"""Brings a database to the current schema and makes the application's login.

Runs as the owner. Several portals may start at once: an advisory lock lets one do the work.
"""

import logging
from pathlib import Path
from time import sleep as pause

import psycopg
from alembic import command
from alembic.config import Config
from psycopg import errors, sql
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from app.server.database.scope import DATABASE_ROLES

APP_LOGIN = "portal_app"
_LOCK = 7_305_118
_FLOOR = 150_000
_PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8)  # seconds between tries
_LOCK_PAUSES = (1, 2, 4, 8, 15)
LOCK_MILLISECONDS = 5000
"""A revision that waits longer for a table gives up: everybody else waits behind it."""


class UnsupportedDatabaseError(RuntimeError):
    """The server is older than the schema needs."""


class BusyTableError(RuntimeError):
    """A revision did not get its table; whoever starts the portal starts it again later."""


def alembic_config(owner_url: str) -> Config:
    """Alembic's configuration for a database; there is no alembic.ini to keep in step."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["url"] = owner_url
    config.attributes["lock_milliseconds"] = LOCK_MILLISECONDS
    return config


def migrate(owner_url: str, app_password: str) -> str:
    """Migrate to the newest revision and return the application login's URL.

    Raises:
        UnsupportedDatabaseError: PostgreSQL older than 15.
    """
    logging.getLogger("alembic").setLevel(logging.WARNING)
    with psycopg.connect(owner_url, autocommit=True) as connection:
        if connection.info.server_version < _FLOOR:
            raise UnsupportedDatabaseError("PostgreSQL 15 or newer is needed.")
        _take_turn(connection)
        try:
            make_logins(connection, app_password)
            upgrade(owner_url)
        finally:
            connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))
    url = make_url(owner_url).set(username=APP_LOGIN, password=app_password)
    return url.render_as_string(hide_password=False)


def upgrade(owner_url: str, revision: str = "head") -> None:
    """Run the revisions up to this one; one that meets a busy table is tried again.

    What ran before it stays, so the next try goes on from there.

    Raises:
        BusyTableError: the table stayed busy.
    """
    for seconds in (*_LOCK_PAUSES, None):
        try:
            command.upgrade(alembic_config(owner_url), revision)
            return
        except (OperationalError, errors.LockNotAvailable) as error:
            cause = error.orig if isinstance(error, OperationalError) else error
            if not isinstance(cause, errors.LockNotAvailable):
                raise
            if seconds is None:
                raise BusyTableError(
                    "A table stayed busy while the schema was to be changed. Start the portal "
                    "again when no long statement runs on the database."
                ) from None
            pause(seconds)


def _take_turn(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Take the lock by asking again and again: a statement that waits holds a snapshot, and
    CREATE INDEX CONCURRENTLY of whoever has the lock waits for that."""
    while connection.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK,)).fetchone() != (True,):
        pause(_PAUSES[1])


def make_logins(connection: psycopg.Connection[tuple[object, ...]], password: str) -> None:
    """Make the logins, again where another portal of the same PostgreSQL makes them just now.

    Roles belong to the whole server and the advisory lock to one database, so two portals with a
    database each meet here: PostgreSQL refuses the later of two changes to one role.
    """
    for seconds in (*_PAUSES, None):
        try:
            _make_logins(connection, password)
            return
        except (errors.InternalError_, errors.UniqueViolation, errors.DuplicateObject):
            if seconds is None:
                raise
            pause(seconds)


def _make_logins(connection: psycopg.Connection[tuple[object, ...]], password: str) -> None:
    for role in DATABASE_ROLES:
        _make_role(connection, role, "NOLOGIN")
    # NOINHERIT: without choosing a role for the transaction the login may read nothing at all.
    _make_role(connection, APP_LOGIN, "LOGIN NOINHERIT")
    connection.execute(
        sql.SQL("ALTER ROLE {} PASSWORD {}").format(
            sql.Identifier(APP_LOGIN), sql.Literal(password)
        )
    )
    for role in DATABASE_ROLES:
        connection.execute(
            sql.SQL("GRANT {} TO {}").format(sql.Identifier(role), sql.Identifier(APP_LOGIN))
        )


def _make_role(
    connection: psycopg.Connection[tuple[object, ...]], name: str, attributes: str
) -> None:
    found = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (name,)).fetchone()
    if not found:
        connection.execute(f"CREATE ROLE {name} {attributes}".encode())
