"""Errors of exports."""

from app.basics.errors import Conflict


class TooManyExports(Conflict):
    """409: the person has too many unfinished exports."""

    code = "too_many_exports"


class ExportEnded(Conflict):
    """409: the export has already ended, or has not ended yet."""

    code = "export_state"
