"""HTTP shapes of pathology results (R 3)."""

from pydantic import Field

from app.contract.enumerations import ReportKind, ResultFlag, Withholding
from app.contract.limits import PATHOLOGY_REPORT_MAX_LENGTH
from app.server.access.schemas import RecordId, Shape
from app.server.orders.schemas import OptionalTime
from app.server.results.entry.schemas import EntryHeader, EntryHold, EntryWithholding


class PathologyReportRead(Shape):
    """A report, an addendum, or a revision (R 3).

    Attributes:
        comment: its rich text.
        reason, explanation: why a revision was made.
        replaced_by: the title of the revision that replaces this one.
        result_report_comments: what the document says about the report besides its text.
    """

    id: int
    title: str
    status: ReportKind
    comment: str
    flag: ResultFlag | None
    signed_out_by: str | None
    released_by: str | None
    released_at: OptionalTime
    reason: str | None
    explanation: str | None
    replaced_by: str | None
    withheld: Withholding | None
    result_report_comments: list[str]


class PathologyResult(Shape):
    """A pathology test with its reports, oldest first.

    Attributes:
        label: shown while there is no report.
        withheld: the reports are under review or withdrawn; then only the lab sees them.
    """

    key: int
    name: str
    status: int
    withheld: Withholding | None
    withheld_at: OptionalTime
    awaits_collection: bool
    label: str
    results: list[PathologyReportRead]


class PathologyDraft(Shape):
    """The report of a test that is entered and not released."""

    kind: ReportKind
    title: str
    comment: str
    flag: ResultFlag | None
    signed_out_by: str | None
    reason_code: str | None
    reason: str | None
    explanation: str | None
    entered_by: str | None
    entered_at: OptionalTime


class PathologyEntryTest(Shape):
    """A test on the pathology entry screen.

    Attributes:
        predates_specimen: whether the draft was entered before the specimen was received.
        next_kinds: the kinds of reports that may follow.
        left_because: why the reader may not release the draft now.
    """

    order_test_id: int
    code: str
    name: str
    specimen: str | None
    status: int
    awaits_collection: bool
    predates_specimen: bool
    draft: PathologyDraft | None
    next_kinds: list[ReportKind]
    released: list[PathologyReportRead]
    withheld: EntryWithholding | None
    holds: list[EntryHold]
    left_because: str | None


class PathologyEntry(EntryHeader):
    """The pathology entry screen of one order."""

    tests: list[PathologyEntryTest]


class PathologyReportWrite(Shape):
    """PUT pathology-entry: the report to enter; an empty ``comment`` withdraws it."""

    kind: ReportKind = ReportKind.NORMAL
    comment: str | None = Field(default=None, max_length=2 * PATHOLOGY_REPORT_MAX_LENGTH)
    flag: ResultFlag | None = None
    signed_out_by: str | None = Field(default=None, max_length=200)
    reason_code: str | None = Field(default=None, max_length=50)
    explanation: str | None = Field(default=None, max_length=2_000)


class PathologyRelease(Shape):
    """POST pathology-release: these tests, or all entered reports when null."""

    order_test_ids: list[RecordId] | None = Field(default=None, max_length=1_000)
