"""The jobs that send links, and delete old requests."""

from app.server.jobs.tasks import Periodic, Task
from app.server.password_recovery.service import delete_old_requests, send_links

PERIODIC = (
    Periodic(Task("password_recovery.send_links", send_links), "* * * * * */5"),
    Periodic(Task("password_recovery.forget_old_requests", delete_old_requests)),
)
"""Links are sent every five seconds, because people wait for them (croniter's sixth field)."""
