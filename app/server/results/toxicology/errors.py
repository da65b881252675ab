"""Errors of acts on toxicology results."""

from app.basics.errors import BadInput


class NothingToRelease(BadInput):
    """400: the chosen tests have no entered result."""

    code = "nothing_to_release"
