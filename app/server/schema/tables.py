"""All tables of the slices; importing them fills ``metadata``."""

from app.server.database.base import metadata
from app.server.slices import SLICES

TABLES = tuple(table for slice_ in SLICES for table in slice_.tables)

__all__ = ["TABLES", "metadata"]
