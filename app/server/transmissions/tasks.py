"""The slice's jobs, as workers know them."""

from app.server.jobs.tasks import Task
from app.server.transmissions.service import names
from app.server.transmissions.service.deliver import deliver
from app.server.transmissions.service.follow import follow

TASKS = (Task(names.DELIVER, deliver), Task(names.FOLLOW, follow))
