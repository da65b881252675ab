"""Records from JSON, with all or some of their columns."""

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

import pytest

from app.server.database.records import build_row_json, parse_columns
from app.server.orders.models import Order, OrderTest
from app.server.results.clinical.models import Result


class TestColumns:
    """Some columns of a record."""

    def test_columns_have_their_types(self) -> None:
        result = parse_columns(
            Result,
            {
                "value": "4.10",
                "number": "4.10",
                "entered_by": "00000000-0000-0000-0000-000000000001",
                "released_at": "2027-01-02T03:04:05",
                "withheld": None,
            },
        )
        assert (result.value, result.number) == ("4.10", Decimal("4.10"))
        assert result.entered_by == UUID(int=1)
        assert result.released_at == datetime(2027, 1, 2, 3, 4, 5)  # noqa: DTZ001
        assert result.withheld is None
        order = parse_columns(Order, {"patient_birth_date": "1980-02-29"})
        assert order.patient_birth_date == date(1980, 2, 29)

    def test_columns_have_the_properties_of_the_record(self) -> None:
        test = parse_columns(OrderTest, {"awaits_collection": True, "status": 1})
        assert test.needs_specimen

    def test_fails_for_a_column_that_was_not_loaded(self) -> None:
        """A record would answer None, and a withheld value could look like a visible one."""
        with pytest.raises(AttributeError, match="withheld"):
            _ = parse_columns(Result, {"value": "4.1"}).withheld

    def test_rejects_names_that_the_table_does_not_have(self) -> None:
        with pytest.raises(AssertionError, match="order_tests"):
            build_row_json(OrderTest, "t", only=("id", "withheld_by"))
