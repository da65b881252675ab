"""Errors of acts on notices of critical results."""

from app.basics.errors import Conflict


class CriticalResultClosed(Conflict):
    """409: the notice is closed, so nobody has to be notified."""

    code = "critical_result_closed"
