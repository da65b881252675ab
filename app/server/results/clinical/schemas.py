"""HTTP shapes of clinical results (R 3)."""

from pydantic import Field

from app.contract.enumerations import ResultFlag
from app.server.access.schemas import RecordId, Shape
from app.server.orders.schemas import OptionalTime
from app.server.results.entry.schemas import EntryHeader


class ClinicalResultRow(Shape):
    """A row of the result tree; only the lab sees the value of an unreleased result."""

    key: int
    parent_key: int | None
    name: str
    result: str | None
    comment: str | None
    flag: ResultFlag | None
    unit: str | None
    reference_range: str | None
    clinical_range_comment: str | None
    result_report_comments: list[str] = []
    is_abnormal: bool
    is_critical: bool
    is_panel: bool
    is_corrected: bool
    status: int


class EntryRow(Shape):
    """A test on the result entry screen."""

    order_test_id: int
    parent_id: int | None
    level: int
    code: str
    name: str
    unit: str | None
    reference_range: str | None
    result_type: int
    choices: list[str]
    is_panel: bool
    result: str | None
    comment: str | None
    flag: ResultFlag | None
    status: int
    is_correction: bool
    entered_by: str | None
    previous_result: str | None
    previous_date: OptionalTime
    low: float | None
    high: float | None
    critical_low: float | None
    critical_high: float | None


class ResultEntry(EntryHeader):
    """The result entry screen of one order's clinical results."""

    rows: list[EntryRow]


class ResultWrite(Shape):
    """An entered result; an empty result withdraws an unreleased entry."""

    order_test_id: RecordId
    result: str | None = Field(default=None, max_length=500)
    comment: str | None = Field(default=None, max_length=5_000)


class ResultEntryWrite(Shape):
    """PUT result-entry."""

    results: list[ResultWrite] = Field(default=[], max_length=1_000)


class ReleaseRequest(Shape):
    """POST release: these tests, or all entered results when null."""

    order_test_ids: list[RecordId] | None = Field(default=None, max_length=1_000)
