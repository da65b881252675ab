"""The job that sends what people wrote to the lab."""

from app.server.jobs.tasks import Periodic, Task
from app.server.support.service.send import send_requests

PERIODIC = (Periodic(Task("support.send_requests", send_requests), "* * * * * */5"),)
"""Every five seconds; the sixth field is an extension of croniter."""
