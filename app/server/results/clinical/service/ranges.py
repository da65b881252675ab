"""Which reference range a test has for the patient of an order."""

from decimal import Decimal

from app.server.access.work import Work
from app.server.catalog.models import LabTest, ReferenceRange
from app.server.catalog.repository import CatalogRepository
from app.server.orders.models import Order
from app.server.results.clinical import rules
from app.server.results.clinical.repository import TestWithResult
from app.server.results.clinical.rules import Range


async def ranges_of(
    work: Work, order: Order, tests: list[TestWithResult]
) -> dict[int, ReferenceRange]:
    """The range of each test for the patient's sex, and age at the collection."""
    age = rules.age_in_days(order.patient_birth_date, order.collection_date.date())
    ids = [t.test.id for t in tests]
    return await work.repository(CatalogRepository).ranges(ids, order.patient_gender, age)


def limits_of(row: ReferenceRange | None) -> Range:
    """The range as numbers to judge by."""
    if row is None:
        return Range()
    return Range(
        _decimal(row.low),
        _decimal(row.high),
        _decimal(row.critical_low),
        _decimal(row.critical_high),
    )


def range_text(test: LabTest, row: ReferenceRange | None) -> str | None:
    """The range as people read it."""
    limits = limits_of(row)
    words = row.words if row else None
    return rules.range_text(limits.low, limits.high, words, test.normal_choices)


def _decimal(value: float | Decimal | None) -> Decimal | None:
    return None if value is None else Decimal(str(value))
