"""Metrics of transmissions, counted in the database since workers are other processes."""

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily

from app.server.actor import build_worker_actor
from app.server.database.pools import HasDatabase
from app.server.transmissions.repository import TransmissionRepository

_ACTOR = build_worker_actor("count transmissions")


async def count_transmissions(portal: HasDatabase) -> Metric:
    """Count the transmissions by kind and status."""
    async with portal.database.transaction(_ACTOR) as transaction:
        counts = await transaction.build_repository(TransmissionRepository).count_by_status()
    gauge = GaugeMetricFamily(
        "portal_transmissions", "Transmissions by kind and status", labels=["kind", "status"]
    )
    for kind, status, count in counts:
        gauge.add_metric([kind, status], count)
    return gauge
