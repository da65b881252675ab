"""The database that the settings name: embedded, or of ``DATABASE_URL``.

The process that only watches the others imports this module, too, and must stay small. So only the
functions that need SQLAlchemy and Alembic import them.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg

from app.server.database.embedded import EmbeddedPostgres, find_running_port
from app.server.keys import KeyFolder
from app.server.schema.names import APP_LOGIN, UnsupportedDatabaseError
from app.server.settings import Settings


class NoPortalError(RuntimeError):
    """No portal runs, so there is no database to work on."""


@contextmanager
def open_owner_database(settings: Settings, report: Callable[[str], None]) -> Iterator[str]:
    """Yield the owner's URL of the configured database; without one, run the embedded database."""
    if settings.database_url:
        yield check_database_url(settings.database_url)
        return
    keys = KeyFolder(settings.data_dir / "keys")
    cluster = EmbeddedPostgres(settings.data_dir, keys.load_password("database-owner"), report)
    cluster.start()
    try:
        yield cluster.url
    finally:
        cluster.stop()


@contextmanager
def open_any_database(settings: Settings, report: Callable[[str], None]) -> Iterator[str]:
    """Yield the URL of ``open_owner_database``, even while a portal runs on the data folder."""
    port = None if settings.database_url else find_running_port(settings.data_dir)
    if port is None:
        with open_owner_database(settings, report) as url:
            yield url
        return
    password = KeyFolder(settings.data_dir / "keys").load_password("database-owner")
    yield f"postgresql://portal_owner:{password}@127.0.0.1:{port}/portal"


class DatabaseUrlError(RuntimeError):
    """The database of DATABASE_URL cannot be used."""


def check_database_url(url: str) -> str:
    """Check that the database answers and its login has the needed rights; return the URL.

    Raises:
        DatabaseUrlError: the text says what is wrong, without the password.
    """
    url = url.replace("postgres://", "postgresql://", 1)
    try:
        with psycopg.connect(url, connect_timeout=10) as connection:
            row = connection.execute(
                "SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
    except psycopg.OperationalError as error:
        raise DatabaseUrlError(
            f"The database of DATABASE_URL does not answer: {str(error).splitlines()[0]}"
        ) from error
    except psycopg.ProgrammingError as error:
        raise DatabaseUrlError(
            "DATABASE_URL is not an address such as postgresql://owner:password@host:5432/name"
        ) from error
    if not row or not row[0]:
        raise DatabaseUrlError(
            "The login of DATABASE_URL must be allowed to create roles (ALTER ROLE ... CREATEROLE)."
        )
    return url


@dataclass(frozen=True)
class PreparedDatabase:
    """A database that the portal can use.

    Attributes:
        app_url: the URL of the application's login.
        demo_accounts: role, e-mail, and password of the accounts of the demo lab.
        has_accounts: whether anybody can sign in.
    """

    app_url: str
    demo_accounts: list[tuple[str, str, str]]
    has_accounts: bool


def prepare_database(settings: Settings, owner_url: str) -> str:
    """Migrate the database, and return the application login's URL.

    Raises:
        UnsupportedDatabaseError: the database does not know the time zone; it stays unchanged.
    """
    from app.server.schema.migrate import migrate_database

    keys = KeyFolder(settings.data_dir / "keys")
    _require_time_zone(owner_url, settings.time_zone)
    app_url = migrate_database(owner_url, keys.load_password("database-app"))
    store_default_time_zone(owner_url, settings.time_zone)
    return app_url


def _require_time_zone(owner_url: str, name: str) -> None:
    with psycopg.connect(owner_url) as connection:
        if not connection.execute(
            "SELECT FROM pg_timezone_names WHERE name = %s", (name,)
        ).rowcount:
            raise UnsupportedDatabaseError(
                f"The database does not know the time zone {name}. Set PORTAL_TIME_ZONE to one"
                " such as America/Chicago."
            )


def store_default_time_zone(owner_url: str, name: str) -> None:
    """Store the environment's time zone, in which the database dates acts (ADR 45)."""
    with psycopg.connect(owner_url) as connection:
        connection.execute(
            "INSERT INTO lab_settings (name, value)"
            " VALUES ('default-time-zone', jsonb_build_object('name', %(name)s::text))"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
            " WHERE lab_settings.value <> excluded.value",
            {"name": name},
        )


def build_app_url(settings: Settings) -> str:
    """Build the application login's URL of DATABASE_URL, or of the portal on this data folder.

    Raises:
        DatabaseUrlError: the database of DATABASE_URL cannot be used.
        NoPortalError: no portal runs on the data folder.
    """
    password = KeyFolder(settings.data_dir / "keys").load_password("database-app")
    if settings.database_url:
        from sqlalchemy.engine import make_url

        owner_url = make_url(check_database_url(settings.database_url))
        url = owner_url.set(username=APP_LOGIN, password=password)
        return url.render_as_string(hide_password=False)
    port = find_running_port(settings.data_dir)
    if port is None:
        raise NoPortalError(
            f"No portal runs on {settings.data_dir}. Start `serve`, which includes a worker, "
            "or set DATABASE_URL."
        )
    return f"postgresql://{APP_LOGIN}:{password}@127.0.0.1:{port}/portal"
