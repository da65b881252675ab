"""Errors of the operations page."""

from app.basics.errors import Conflict


class JobRetriedAlready(Conflict):
    """409: another job of the same periodic task waits already."""

    code = "job_waits_already"
