"""The jobs that send links, and delete old requests."""

from app.server.jobs.tasks import Periodic, Task
from app.server.password_recovery.service import delete_old_requests, send_links

PERIODIC = (
    Periodic(Task("password_recovery.send_links", send_links), "* * * * * */5"),
    Periodic(Task("password_recovery.forget_old_requests", delete_old_requests)),
)
"""The sixth field, for seconds, is croniter's: the person is waiting for the e-mail."""
