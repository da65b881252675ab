"""How many e-mails and faxes are how far, from the database: the workers are other processes."""

from prometheus_client import Gauge

from app.server.actor import worker
from app.server.database.pools import HasDatabase
from app.server.transmissions.repository import TransmissionRepository

_COUNTING = worker("count transmissions")
_TRANSMISSIONS = Gauge(
    "portal_transmissions", "Transmissions by kind and status", ["kind", "status"]
)


async def count(portal: HasDatabase) -> None:
    """Bring the gauge up to date."""
    async with portal.database.transaction(_COUNTING) as session:
        found = await TransmissionRepository(session, _COUNTING).counts()
    _TRANSMISSIONS.clear()
    for kind, status, number in found:
        _TRANSMISSIONS.labels(kind, status).set(number)
