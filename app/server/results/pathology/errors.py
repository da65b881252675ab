"""Errors of acts on pathology results."""

from app.basics.errors import BadInput


class NothingToRelease(BadInput):
    """400: the chosen tests have no entered report."""

    code = "nothing_to_release"
