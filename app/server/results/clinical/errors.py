"""Errors of acts on clinical results."""

from app.basics.errors import BadInput, Conflict


class NothingToRelease(BadInput):
    """400: the chosen tests have no entered result."""

    code = "nothing_to_release"


class CorrectionRequired(Conflict):
    """409: a result is released and only changes as a correction with a reason."""

    code = "correction_required"
