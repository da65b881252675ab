"""Names that the portal needs without the library that migrates (Alembic takes 10 MB)."""

APP_LOGIN = "portal_app"
"""The login of the processes that answer requests or run jobs."""


class UnsupportedDatabaseError(RuntimeError):
    """The PostgreSQL server lacks something that the portal needs."""


class BusyTableError(RuntimeError):
    """A revision could not lock its table; start the portal again later."""
