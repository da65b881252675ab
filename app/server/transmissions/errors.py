"""What can stand in the way of sending."""

from app.basics.errors import Conflict, NotConfigured


class RequisitionNotSendable(Conflict):
    """409: a canceled requisition is not sent."""

    code = "requisition_not_sendable"


class SendingNotConfigured(NotConfigured):
    """424: the lab has named no mail server, or nobody who sends faxes."""

    code = "sending_not_configured"
