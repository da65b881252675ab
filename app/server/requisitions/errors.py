"""Errors of acts on requisitions."""

from app.basics.errors import Conflict, StaleVersion


class RequisitionReadOnly(Conflict):
    """409: the requisition is done or canceled."""

    code = "requisition_read_only"


class RequisitionSigned(Conflict):
    """409: the requisition is signed; signed content cannot change, and nobody signs twice."""

    code = "requisition_signed"


class RequisitionNotSigned(Conflict):
    """409: the requisition has no signature to remove."""

    code = "requisition_not_signed"


class SignedByAnother(Conflict):
    """409: only the signer may remove the signature."""

    code = "signed_by_another"


class TransitionNotAllowed(Conflict):
    """409: the transition table does not allow this status change."""

    code = "transition_not_allowed"


class SignedContentChanged(StaleVersion):
    """412: the content has changed since the signer saw it."""

    code = "content_changed"
