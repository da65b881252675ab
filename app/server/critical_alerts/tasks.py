"""The job that alerts contacts to critical results."""

from app.server.critical_alerts.service import alert_contacts
from app.server.jobs.tasks import Periodic, Task

PERIODIC = (Periodic(Task("critical_alerts.alert_contacts", alert_contacts), "* * * * * */10"),)
"""Every ten seconds; the sixth field is an extension of croniter."""
