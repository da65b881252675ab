"""Errors of acts on cultures."""

from app.basics.errors import BadInput


class NothingToRelease(BadInput):
    """400: the chosen cultures have nothing new to release."""

    code = "nothing_to_release"
