"""Errors of sending."""

from app.basics.errors import Conflict, NotConfigured


class RequisitionNotSendable(Conflict):
    """409: the requisition is canceled and cannot be sent."""

    code = "requisition_not_sendable"


class NothingToSend(Conflict):
    """409: the order has no released results to send; the message names it."""

    code = "nothing_to_send"


class SendingNotConfigured(NotConfigured):
    """424: the lab has configured no mail server, or no fax provider."""

    code = "sending_not_configured"
