"""Errors of acts on clinical results."""

from app.basics.errors import BadInput, Conflict


class NothingToRelease(BadInput):
    """400: the chosen tests have no entered result."""

    code = "nothing_to_release"


class NothingToChange(BadInput):
    """400: no chosen test has a result in the state that the act needs."""

    code = "nothing_to_change"


class CorrectionRequired(Conflict):
    """409: a result is released and only changes as a correction with a reason."""

    code = "correction_required"


class AbsurdResult(Conflict):
    """409: a result is possible but so unusual that a person must confirm it."""

    code = "absurd_result"


class NotReleasable(Conflict):
    """409: a result is on hold, or waits for its verification."""

    code = "not_releasable"
