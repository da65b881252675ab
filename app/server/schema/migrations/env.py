"""Alembic's entry point, which runs revisions as the owner of the tables."""

from alembic import context
from sqlalchemy import create_engine, pool
from sqlalchemy.engine import make_url

from app.server.schema.tables import is_compared, metadata


def run() -> None:
    """Run the requested revisions, each in its own transaction."""
    url = make_url(context.config.attributes["url"]).set(drivername="postgresql+psycopg")
    # A connection option, so that a revision which may wait longer can RESET it.
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
    """Write the SQL of the revisions, without a database (``alembic upgrade --sql``)."""
    context.configure(dialect_name="postgresql", literal_binds=True, target_metadata=metadata)
    with context.begin_transaction():
        context.run_migrations()


if context.is_offline_mode():
    write_sql()
else:
    run()
