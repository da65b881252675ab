"""Records from JSON, with all or some of their columns."""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec
import pytest

from app.server.database.base import Table
from app.server.database.records import Columns, build_row_json
from app.server.orders.models import Order, OrderTest
from app.server.results.clinical.models import Result


def _decode(table: type[Table], names: tuple[str, ...], text: str) -> Any:
    return msgspec.json.decode(text, type=Columns(table, names).row)


class TestColumns:
    """Some columns of a record."""

    def test_columns_have_their_types(self) -> None:
        result = _decode(
            Result,
            ("value", "number", "entered_by", "released_at", "withheld"),
            '["4.10", "4.10", "00000000-0000-0000-0000-000000000001", "2027-01-02T03:04:05", null]',
        )
        assert (result.value, result.number) == ("4.10", Decimal("4.10"))
        assert result.entered_by == UUID(int=1)
        assert result.released_at == datetime(2027, 1, 2, 3, 4, 5)  # noqa: DTZ001
        assert result.withheld is None
        order = _decode(Order, ("patient_birth_date",), '["1980-02-29"]')
        assert order.patient_birth_date == date(1980, 2, 29)

    def test_times_have_the_microseconds_that_postgresql_writes(self) -> None:
        result = _decode(Result, ("released_at",), '["2027-01-02T03:04:05.000123"]')
        assert result.released_at.microsecond == 123

    def test_columns_have_the_properties_of_the_record(self) -> None:
        test = _decode(OrderTest, ("awaits_collection", "status"), "[true, 1]")
        assert test.needs_specimen

    def test_values_follow_the_order_of_the_names(self) -> None:
        columns = Columns(Result, ("unit", "number", "id"))
        assert columns.build_json("r") == "json_build_array(r.unit, r.number::text, r.id)"

    def test_fails_for_a_column_that_was_not_loaded(self) -> None:
        """If it returned None, a withheld value could look like a visible one."""
        with pytest.raises(AttributeError, match="withheld"):
            _ = _decode(Result, ("value",), '["4.1"]').withheld

    @pytest.mark.parametrize("text", ['["4.1"]', '["4.1", "N", null]'])
    def test_fails_for_a_row_with_another_number_of_values(self, text: str) -> None:
        with pytest.raises(msgspec.ValidationError, match="array"):
            _decode(Result, ("value", "flag"), text)

    def test_fails_for_a_value_of_another_type(self) -> None:
        with pytest.raises(msgspec.ValidationError, match="datetime"):
            _decode(Result, ("released_at",), '["4.1"]')

    @pytest.mark.parametrize(
        "build", [Columns, lambda table, only: build_row_json(table, "t", only=only)]
    )
    def test_rejects_names_that_the_table_does_not_have(
        self, build: Callable[[type[Table], tuple[str, ...]], object]
    ) -> None:
        with pytest.raises(AssertionError, match=r"order_tests has no column \['withheld_by'\]"):
            build(OrderTest, ("id", "withheld_by"))
