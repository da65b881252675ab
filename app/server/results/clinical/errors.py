"""What can stand in the way of an act on clinical results."""

from app.basics.errors import BadInput


class NothingToRelease(BadInput):
    """400: no entered result among the chosen tests."""

    code = "nothing_to_release"
