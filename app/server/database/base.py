"""The base class of all tables: constraint names, column types, and the scope declaration."""

from datetime import datetime
from typing import Annotated, Any, ClassVar
from uuid import UUID

from sqlalchemy import BigInteger, Identity, Index, MetaData, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from app.server.database.scope import Scope
from app.server.database.writes import Lock, Writes

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

declared_scopes: dict[str, Scope] = {}
"""Scope by table name, filled as the tables are defined."""
declared_writes: dict[str, Writes] = {}
"""The columns that statements may write, by table name."""
declared_locks: dict[str, tuple[Lock, ...]] = {}
"""Locked rows by table name."""

Id = Annotated[int, mapped_column(BigInteger, Identity(), primary_key=True)]
BigInt = Annotated[int, mapped_column(BigInteger)]
Small = Annotated[int, mapped_column(SmallInteger)]
TextColumn = Annotated[str, mapped_column(Text)]
ClinicalTime = Annotated[datetime, mapped_column(TIMESTAMP(precision=0))]
"""The lab's wall-clock time in whole seconds, without a time zone."""
Instant = Annotated[datetime, mapped_column(TIMESTAMP(timezone=True))]
CreatedAt = Annotated[
    datetime, mapped_column(TIMESTAMP(timezone=True), server_default=text("now()"))
]
Version = Annotated[int, mapped_column(BigInteger, server_default=text("1"))]
UserId = Annotated[UUID, mapped_column()]


class Ended:
    """A row that the lab ends instead of deleting it: records may refer to it."""

    active: Mapped[bool] = mapped_column(server_default=text("true"))


class Numbered:
    """A row with a number in addition to its natural key, for lists and the audit log."""

    id: Mapped[int] = mapped_column(BigInteger, Identity(), unique=True)


def build_trigram_index(name: str, *columns: str) -> Index:
    """Return an index for letters anywhere in the texts of ``columns``."""
    return Index(
        name,
        *columns,
        postgresql_using="gin",
        postgresql_ops=dict.fromkeys(columns, "gin_trgm_ops"),
    )


class Table(DeclarativeBase):
    """The base class of tables.

    Attributes:
        __scope__: who sees which rows.
        __writes__: which columns may be written.
        __locks__: which rows no longer change.
    """

    metadata = metadata
    __scope__: ClassVar[Scope]
    __writes__: ClassVar[Writes] = Writes()
    __locks__: ClassVar[tuple[Lock, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if hasattr(cls, "__table__"):
            declared_scopes[cls.__tablename__] = cls.__scope__
            declared_writes[cls.__tablename__] = cls.__writes__
            declared_locks[cls.__tablename__] = cls.__locks__
