"""HTTP shapes of Result Export."""

from typing import Annotated

from pydantic import Field

from app.contract.enumerations import ExportFormat, OrderStatus
from app.server.access.schemas import RecordId, Shape, WireDate
from app.server.exports.source import CellType

IDS_MAX = 1_000
"""Larger than the limits of clients and tests, so that a message can name the exceeded limit."""
Ids = Annotated[list[RecordId], Field(max_length=IDS_MAX)]


class ResultExportRequest(Shape):
    """The results to export; days are collection dates, both inclusive, and by default today.

    Attributes:
        client_ids: can only narrow the clients that the role allows.
        test_ids: a panel stands for all the tests that it contains.
        status: a mask of order statuses.
    """

    start_date: WireDate = None
    end_date: WireDate = None
    client_ids: Ids = Field(default_factory=list)
    test_ids: Ids = Field(default_factory=list)
    status: int = int(OrderStatus.ALL)
    format: ExportFormat = ExportFormat.CSV


class ExportColumnRead(Shape):
    """A column of the exported file."""

    name: str
    heading: str
    type: CellType


class ResultExportPreview(Shape):
    """A preview of an export: its first rows, and the number of all rows.

    Orders are counted up to a limit; ``is_capped`` says that there are more orders and rows.
    """

    orders: int
    rows: int
    is_capped: bool
    columns: list[ExportColumnRead]
    data: list[list[str | None]]
