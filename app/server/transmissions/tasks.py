"""Jobs of transmissions."""

from app.server.jobs.tasks import Task
from app.server.transmissions.service import names
from app.server.transmissions.service.deliver import deliver_transmission
from app.server.transmissions.service.follow import follow_transmission

TASKS = (Task(names.DELIVER, deliver_transmission), Task(names.FOLLOW, follow_transmission))
