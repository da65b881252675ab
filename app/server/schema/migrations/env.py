"""Alembic's entry: runs revisions as the owner of the tables."""

from typing import Any

from alembic import context
from sqlalchemy import create_engine, pool
from sqlalchemy.engine import make_url

from app.server.schema.tables import metadata


def is_compared(
    _object: Any, name: str | None, type_: str, _reflected: bool, _compare: Any
) -> bool:
    """Whether autogenerate looks at this object.

    Trigram indexes carry operator classes that reflection does not report alike everywhere.
    """
    return not (type_ == "index" and name is not None and name.endswith(("_trgm", "_search_text")))


def run() -> None:
    """Run what was asked for, each revision within a transaction of its own."""
    url = make_url(context.config.attributes["url"]).set(drivername="postgresql+psycopg")
    # As an option of the connection, so that a revision which waits longer can RESET it.
    lock_timeout = f"-c lock_timeout={context.config.attributes['lock_milliseconds']}"
    options = f"{url.query.get('options', '')} {lock_timeout}".strip()
    engine = create_engine(url, poolclass=pool.NullPool, connect_args={"options": options})
    with engine.connect() as connection:
        context.configure(
            connection=connection,
            target_metadata=metadata,
            compare_type=True,
            compare_server_default=False,
            include_object=is_compared,
            transaction_per_migration=True,
        )
        with context.begin_transaction():
            context.run_migrations()
    engine.dispose()


def write_sql() -> None:
    """Write what the revisions would run, without a database (``alembic upgrade --sql``)."""
    context.configure(dialect_name="postgresql", literal_binds=True, target_metadata=metadata)
    with context.begin_transaction():
        context.run_migrations()


if context.is_offline_mode():
    write_sql()
else:
    run()
