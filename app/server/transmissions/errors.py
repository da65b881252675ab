"""Errors of sending."""

from app.basics.errors import Conflict, NotConfigured


class RequisitionNotSendable(Conflict):
    """409: the requisition is canceled and cannot be sent."""

    code = "requisition_not_sendable"


class SendingNotConfigured(NotConfigured):
    """424: the lab has configured no mail server, or no fax provider."""

    code = "sending_not_configured"
