"""The period of cumulative results, their limits, and their arrangement as a table."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.basics.errors import BadInput, FieldError
from app.contract import messages
from app.contract.limits import CUMULATIVE_CLIENTS_MAX, CUMULATIVE_RECORDS_MAX
from app.server.results.cumulative.rules import (
    Period,
    arrange_rows,
    choose_client_count,
    choose_period,
    choose_record_count,
)

TODAY = date(2026, 11, 21)
COLUMNS = st.lists(st.dictionaries(st.integers(0, 5), st.text(min_size=1), max_size=4), max_size=6)


class TestPeriod:
    def test_period_is_today_by_default(self) -> None:
        assert choose_period(None, None, TODAY) == Period(TODAY, TODAY)

    def test_rejects_a_period_that_ends_before_it_starts(self) -> None:
        with pytest.raises(BadInput) as raised:
            choose_period(TODAY, date(2026, 11, 20), TODAY)
        assert raised.value.errors == (FieldError("endDate", messages.END_DATE_BEFORE_START),)


def test_count_of_zero_requests_the_maximum() -> None:
    assert choose_record_count(0) == choose_record_count(10**9) == CUMULATIVE_RECORDS_MAX
    assert choose_record_count(5) == 5
    assert choose_client_count(0) == CUMULATIVE_CLIENTS_MAX
    assert choose_client_count(1) == 1


class TestRows:
    @given(COLUMNS)
    def test_rows_show_every_result_once_in_its_column(self, columns: list[dict[int, str]]) -> None:
        rows = arrange_rows([column.items() for column in columns])
        assert len(rows) == len({series for column in columns for series in column})
        for index, column in enumerate(columns):
            shown_cells = [cell for row in rows if (cell := row.cells[index]) is not None]
            assert sorted(shown_cells) == sorted(column.values())

    @given(COLUMNS)
    def test_each_row_has_a_newest_result(self, columns: list[dict[int, str]]) -> None:
        for row in arrange_rows([column.items() for column in columns]):
            assert row.newest == next(cell for cell in row.cells if cell is not None)

    def test_rows_have_the_order_of_the_newest_column(self) -> None:
        rows = arrange_rows([[("b", "1"), ("c", "2")], [("a", "3"), ("b", "4")]])
        assert [row.cells for row in rows] == [("1", "4"), ("2", None), (None, "3")]
