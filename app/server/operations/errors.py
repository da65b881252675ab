"""Errors of the operations page."""

from app.basics.errors import Conflict


class NextJobWaits(Conflict):
    """409: the next job of the same periodic task is already waiting."""

    code = "job_waits_already"
