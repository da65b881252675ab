"""All tables of the slices; importing them fills ``metadata``."""

from typing import Any

from app.server.database.base import metadata
from app.server.slices import SLICES

TABLES = tuple(table for slice_ in SLICES for table in slice_.tables)

INDEXES_COMPARED_BY_NAME = ("_trgm", "_search_text", "_birth_order")
"""Suffixes of the names of indexes that are compared only by name.

PostgreSQL prints their operator class or expression differently from the declaration.
"""

__all__ = ["INDEXES_COMPARED_BY_NAME", "TABLES", "is_compared", "metadata"]


def is_compared(
    _object: Any, name: str | None, type_: str, _reflected: bool, _declared: Any
) -> bool:
    """Whether Alembic compares this object with its declaration in full."""
    return not (type_ == "index" and (name or "").endswith(INDEXES_COMPARED_BY_NAME))
