"""Errors of exports."""

from app.basics.errors import Conflict


class TooManyExports(Conflict):
    """409: the person has too many unfinished exports."""

    code = "too_many_exports"


class ExportEnded(Conflict):
    """409: an ended export cannot be canceled, and an unfinished one cannot be deleted."""

    code = "export_state"
