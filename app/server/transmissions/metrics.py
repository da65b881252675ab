"""Metrics of transmissions, counted in the database since workers are other processes."""

from prometheus_client import Gauge

from app.server.actor import build_worker_actor
from app.server.database.pools import HasDatabase
from app.server.transmissions.repository import TransmissionRepository

_COUNTER = build_worker_actor("count transmissions")
_TRANSMISSIONS = Gauge(
    "portal_transmissions", "Transmissions by kind and status", ["kind", "status"]
)


async def update_metrics(portal: HasDatabase) -> None:
    """Update the gauge of transmissions by kind and status."""
    async with portal.database.transaction(_COUNTER) as session:
        counts = await TransmissionRepository(session, _COUNTER).count_by_status()
    _TRANSMISSIONS.clear()
    for kind, status, count in counts:
        _TRANSMISSIONS.labels(kind, status).set(count)
