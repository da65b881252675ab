"""Jobs of transmissions, and the one that tells clients of rejected specimens."""

from app.server.jobs.tasks import Task
from app.server.specimens.service.names import TELL_CLIENT
from app.server.transmissions.service import names
from app.server.transmissions.service.deliver import deliver_transmission
from app.server.transmissions.service.follow import follow_transmission
from app.server.transmissions.service.tell import tell_client

TASKS = (
    Task(names.DELIVER, deliver_transmission),
    Task(names.FOLLOW, follow_transmission),
    Task(TELL_CLIENT, tell_client),
)
