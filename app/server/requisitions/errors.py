"""What can stand in the way of an act on a requisition."""

from app.basics.errors import Conflict, StaleVersion


class RequisitionReadOnly(Conflict):
    """409: done or canceled requisitions are not changed."""

    code = "requisition_read_only"


class RequisitionSigned(Conflict):
    """409: signed content needs Unsign first, or it is signed already."""

    code = "requisition_signed"


class RequisitionNotSigned(Conflict):
    """409: there is no signature to remove."""

    code = "requisition_not_signed"


class SignedByAnother(Conflict):
    """409: only the signer removes a signature."""

    code = "signed_by_another"


class TransitionNotAllowed(Conflict):
    """409: the status table has no such step."""

    code = "transition_not_allowed"


class SignedContentChanged(StaleVersion):
    """412: what would be signed is not what was looked at."""

    code = "content_changed"
