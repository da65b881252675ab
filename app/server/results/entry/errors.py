"""Errors that every family raises when somebody changes results."""

from app.basics.errors import BadInput, Conflict


class NothingToChange(BadInput):
    """400: no chosen test has a result in the state that the act needs."""

    code = "nothing_to_change"


class NotReleasable(Conflict):
    """409: a result is on hold, or waits for its verification or for another person."""

    code = "not_releasable"


class AbsurdResult(Conflict):
    """409: a result is possible but so unusual that a person must confirm it."""

    code = "absurd_result"
