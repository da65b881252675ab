"""Errors of acts on orders."""

from app.basics.errors import BadInput, Conflict


class FutureCollection(Conflict):
    """409: a specimen to receive has a collection time in the future; the message names it."""

    code = "collection_to_come"


class OrderReadOnly(Conflict):
    """409: the order is canceled and accepts no results."""

    code = "order_read_only"


class NothingToAcknowledge(Conflict):
    """409: the order has no released results."""

    code = "nothing_to_acknowledge"


class InformationLocked(Conflict):
    """409: this part of the missing information cannot be changed; the message says why."""

    code = "information_locked"


class TestReleased(Conflict):
    """409: a test has released results and cannot be canceled; the message says what to do."""

    __test__ = False
    code = "test_released"


class NothingToCancel(BadInput):
    """400: no chosen test can be canceled or reinstated, because it already is."""

    code = "nothing_to_cancel"


class UploadedByAnother(Conflict):
    """409: the document was uploaded by somebody else."""

    code = "uploaded_by_another"
