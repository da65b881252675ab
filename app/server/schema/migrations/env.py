"""Alembic's entry: runs revisions as the owner of the tables."""

from typing import Any

from alembic import context
from sqlalchemy import create_engine, pool

from app.server.schema.tables import metadata


def _ours(_object: Any, name: str | None, type_: str, _reflected: bool, _compare: Any) -> bool:
    # Trigram indexes carry operator classes that reflection does not report alike everywhere.
    return not (type_ == "index" and name is not None and name.endswith(("_trgm", "_search_text")))


def run() -> None:
    """Run what was asked for, within one transaction."""
    engine = create_engine(
        context.config.attributes["url"].replace("postgresql://", "postgresql+psycopg://", 1),
        poolclass=pool.NullPool,
    )
    with engine.connect() as connection:
        context.configure(
            connection=connection,
            target_metadata=metadata,
            compare_type=True,
            compare_server_default=False,
            include_object=_ours,
        )
        with context.begin_transaction():
            context.run_migrations()
    engine.dispose()


run()
