"""Records from JSON, with all or some of their columns."""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

import pytest

from app.server.database.base import Table
from app.server.database.records import Columns, build_row_json
from app.server.orders.models import Order, OrderTest
from app.server.results.clinical.models import Result


class TestColumns:
    """Some columns of a record."""

    def test_columns_have_their_types(self) -> None:
        columns = Columns(Result, ("value", "number", "entered_by", "released_at", "withheld"))
        result = columns.parse(
            ["4.10", "4.10", "00000000-0000-0000-0000-000000000001", "2027-01-02T03:04:05", None]
        )
        assert (result.value, result.number) == ("4.10", Decimal("4.10"))
        assert result.entered_by == UUID(int=1)
        assert result.released_at == datetime(2027, 1, 2, 3, 4, 5)  # noqa: DTZ001
        assert result.withheld is None
        order = Columns(Order, ("patient_birth_date",)).parse(["1980-02-29"])
        assert order.patient_birth_date == date(1980, 2, 29)

    def test_columns_have_the_properties_of_the_record(self) -> None:
        test = Columns(OrderTest, ("awaits_collection", "status")).parse([True, 1])
        assert test.needs_specimen

    def test_values_follow_the_order_of_the_names(self) -> None:
        columns = Columns(Result, ("unit", "number", "id"))
        assert columns.build_json("r") == "json_build_array(r.unit, r.number::text, r.id)"

    def test_fails_for_a_column_that_was_not_loaded(self) -> None:
        """If it returned None, a withheld value could look like a visible one."""
        with pytest.raises(AttributeError, match="withheld"):
            _ = Columns(Result, ("value",)).parse(["4.1"]).withheld

    def test_fails_for_a_row_with_another_number_of_values(self) -> None:
        with pytest.raises(TypeError, match="Expected 2 arguments, got 1"):
            Columns(Result, ("value", "flag")).parse(["4.1"])

    @pytest.mark.parametrize(
        "build", [Columns, lambda table, only: build_row_json(table, "t", only=only)]
    )
    def test_rejects_names_that_the_table_does_not_have(
        self, build: Callable[[type[Table], tuple[str, ...]], object]
    ) -> None:
        with pytest.raises(AssertionError, match=r"order_tests has no column \['withheld_by'\]"):
            build(OrderTest, ("id", "withheld_by"))
