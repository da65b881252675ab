"""Jobs of transmissions, and those that lower slices defer."""

from app.contract.enumerations import ScopeKind
from app.server.database.scope import SIGNED_IN
from app.server.jobs.tasks import Task
from app.server.orders.names import SEND_COPIES
from app.server.specimens.service.names import NOTIFY_CLIENT
from app.server.transmissions.service import names
from app.server.transmissions.service.copies import send_copies
from app.server.transmissions.service.deliver import deliver_transmission
from app.server.transmissions.service.follow import follow_transmission
from app.server.transmissions.service.notify import notify_client

_LAB = frozenset({ScopeKind.STAFF})

TASKS = (
    Task(names.DELIVER, deliver_transmission, deferred_by=frozenset(SIGNED_IN)),
    Task(names.FOLLOW, follow_transmission),
    Task(NOTIFY_CLIENT, notify_client, deferred_by=_LAB),
    Task(SEND_COPIES, send_copies, deferred_by=_LAB),
)
