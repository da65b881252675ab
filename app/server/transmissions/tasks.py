"""Jobs of transmissions, and those that lower slices defer."""

from app.server.jobs.tasks import Task
from app.server.orders.names import SEND_COPIES
from app.server.specimens.service.names import NOTIFY_CLIENT
from app.server.transmissions.service import names
from app.server.transmissions.service.copies import send_copies
from app.server.transmissions.service.deliver import deliver_transmission
from app.server.transmissions.service.follow import follow_transmission
from app.server.transmissions.service.notify import notify_client

TASKS = (
    Task(names.DELIVER, deliver_transmission),
    Task(names.FOLLOW, follow_transmission),
    Task(NOTIFY_CLIENT, notify_client),
    Task(SEND_COPIES, send_copies),
)
