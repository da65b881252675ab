"""The demo lab of the tests."""

from datetime import date, datetime

from seeds.demo import DemoLab
from seeds.demo.records import (
    DemoCulture,
    DemoOrder,
    DemoOrderTest,
    DemoPathologyReport,
    DemoRequisition,
    DemoResult,
    DemoToxicologyResult,
)

AS_OF = date(2026, 11, 21)


def list_orders(lab: DemoLab) -> list[tuple[DemoRequisition, DemoOrder]]:
    """Return every order after its requisition."""
    return [
        (requisition, requisition.order)
        for requisition in lab.requisitions
        if requisition.order is not None
    ]


def list_entries(
    test: DemoOrderTest,
) -> list[DemoResult | DemoPathologyReport | DemoCulture | DemoToxicologyResult]:
    """Return everything that was entered for a test, of any family."""
    return [*test.results, *test.reports, *test.cultures, *test.toxicology]


def list_release_times(test: DemoOrderTest) -> list[datetime | None]:
    """Return the release times of everything that was entered for a test."""
    return [entry.released_at for entry in list_entries(test)]
