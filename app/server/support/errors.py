"""Errors of sending messages to the lab."""

from app.basics.errors import NotConfigured


class ContactNotConfigured(NotConfigured):
    """424: the lab has no mail server, or no address for messages."""

    code = "contact_not_configured"


class SuppliesNotConfigured(NotConfigured):
    """424: the lab has no mail server, or no address for supply requests."""

    code = "supplies_not_configured"
