"""Names that are shared with the migrations, without importing Alembic (10 MB of memory)."""

APP_LOGIN = "portal_app"
"""The login of the processes that answer requests or run jobs."""


class UnsupportedDatabaseError(RuntimeError):
    """The PostgreSQL server lacks something that the portal needs."""


class BusyTableError(RuntimeError):
    """A revision could not lock its table; start the portal again later."""
