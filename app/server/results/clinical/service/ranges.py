"""Reference ranges and bounds of tests for the patient of an order."""

from decimal import Decimal

from app.contract.enumerations import ResultType
from app.server.catalog.models import LabTest, ReferenceRange
from app.server.results.clinical import rules
from app.server.results.clinical.rules import Range


def build_range(test: LabTest, row: ReferenceRange | None) -> Range:
    """Build the numeric range for flags; without a row it has only the possible limits."""
    return Range(
        _to_decimal(row.low if row else None),
        _to_decimal(row.high if row else None),
        _to_decimal(row.critical_low if row else None),
        _to_decimal(row.critical_high if row else None),
        test.possible_low,
        test.possible_high,
    )


def format_reference_range(test: LabTest, row: ReferenceRange | None) -> str | None:
    """Format a test's reference range for display."""
    limits = build_range(test, row)
    words = row.words if row else None
    return rules.format_range(
        limits.low, limits.high, words, test.normal_choices, ResultType(test.result_type)
    )


def _to_decimal(value: float | Decimal | None) -> Decimal | None:
    return None if value is None else Decimal(str(value))
