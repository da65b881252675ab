"""All tables together: what the slices' manifests bring, and ``metadata`` knows by then."""

from app.server.database.base import metadata
from app.server.slices import SLICES

TABLES = tuple(table for each in SLICES for table in each.tables)

__all__ = ["TABLES", "metadata"]
