"""Errors of recovering a password."""

from app.basics.errors import NotConfigured, NotFound


class UnknownEmail(NotFound):
    """404: nobody is registered with the e-mail address; the screen says so (P 8)."""

    code = "unknown_email"


class RecoveryLinkInvalid(NotFound):
    """404: the link was used, has expired, or never existed."""

    code = "recovery_link_invalid"


class RecoveryNotConfigured(NotConfigured):
    """424: the lab has no mail server."""

    code = "recovery_not_configured"
