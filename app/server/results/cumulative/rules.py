"""Rules about cumulative results: their period, and their arrangement in a table (R 2.3)."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

from app.basics.errors import BadInput, FieldError
from app.contract import messages
from app.contract.limits import CUMULATIVE_CLIENTS_MAX, CUMULATIVE_RECORDS_MAX

Cell = TypeVar("Cell")


@dataclass(frozen=True)
class Period:
    """The days on which specimens were collected, both inclusive."""

    first: date
    last: date


def choose_period(start: date | None, end: date | None, today: date) -> Period:
    """Return the requested period; a missing day means today.

    Raises:
        BadInput: the period ends before it starts.
    """
    period = Period(start or today, end or today)
    if period.last < period.first:
        raise BadInput.of(FieldError("endDate", messages.END_DATE_BEFORE_START))
    return period


def choose_record_count(records: int) -> int:
    """Return how many orders to read at most; 0 asks for as many as the portal allows."""
    return min(records or CUMULATIVE_RECORDS_MAX, CUMULATIVE_RECORDS_MAX)


def choose_client_count(count: int) -> int:
    """Return how many clients to list at most; 0 asks for as many as the portal allows."""
    return min(count or CUMULATIVE_CLIENTS_MAX, CUMULATIVE_CLIENTS_MAX)


@dataclass(frozen=True)
class Row(Generic[Cell]):
    """One series of a table: a cell per column, None where an order has no such result."""

    cells: tuple[Cell | None, ...]

    @property
    def newest(self) -> Cell:
        """The cell of the newest order that has one."""
        return next(cell for cell in self.cells if cell is not None)


def arrange_rows(columns: Sequence[Iterable[tuple[Hashable, Cell]]]) -> list[Row[Cell]]:
    """Arrange results by series, with a column per order, in the order of the columns.

    Each column has pairs of a series and its result. Series come in the order of the first column
    that has them.
    """
    rows: dict[Hashable, list[Cell | None]] = {}
    for index, column in enumerate(columns):
        for series, cell in column:
            rows.setdefault(series, [None] * len(columns))[index] = cell
    return [Row(tuple(cells)) for cells in rows.values()]
