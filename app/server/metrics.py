"""Metrics of all processes of this portal that answer requests.

With several processes, each writes its metrics to files in a common folder
(``PROMETHEUS_MULTIPROC_DIR``), and the process that answers ``/metrics`` adds up all files.
"""

import os
from collections.abc import Iterable

from prometheus_client import REGISTRY, CollectorRegistry, Metric, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector


class _Counts:
    """Metrics that were counted in the database for this answer."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._metrics = list(metrics)

    def collect(self) -> Iterable[Metric]:
        """Return all metrics."""
        return self._metrics


def get_registry() -> CollectorRegistry:
    """Return the registry with the metrics of all processes."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry


def render_metrics(metrics: Iterable[Metric]) -> bytes:
    """Render the metrics of the processes, then the ``metrics`` counted in the database."""
    registry = CollectorRegistry()
    registry.register(_Counts(metrics))
    return generate_latest(get_registry()) + generate_latest(registry)
