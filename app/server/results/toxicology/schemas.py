"""HTTP shapes of toxicology results (R 3)."""

from decimal import Decimal

from pydantic import Field

from app.contract.enumerations import ToxicologyMethod, ToxicologyVerdict, Withholding
from app.server.access.schemas import RecordId, Shape
from app.server.orders.schemas import OptionalTime
from app.server.results.entry.schemas import (
    EntryHeader,
    EntryHold,
    EntryWithholding,
    ResultComment,
)


class ToxicologyRowData(Shape):
    """The comments on a row (R 3): those of a report, and the one that was entered."""

    result_report_comments: list[str]
    comment: str | None


class ToxicologyVersion(Shape):
    """A released result that a correction replaced."""

    result: str
    unit: str | None
    comment: str | None
    released_at: OptionalTime
    released_by: str | None


class ToxicologyRow(Shape):
    """A row of a section: a verdict, or one of the tests that it rests on (R 3).

    Attributes:
        validity_range: the limits of a valid specimen, if this is a test of the specimen.
        is_invalid: whether this result makes the specimen invalid.
        specimen_fault: why the verdicts in force call the order's specimen invalid.
        rx_verification: the reason of the verdict.
        withheld: set while the released result is under review or withdrawn; then only the lab sees
            the result.
        reason, explanation: why the result before this one was corrected. Outside the lab,
            ``corrected_from`` does not contain that earlier result if it was withdrawn.
        corrected_from: the earlier results, oldest first.
    """

    tree_id: str
    key: str
    parent_key: str | None
    tests: list[str]
    medication_name: str | None
    name: str
    result: str | None
    unit: str | None
    detection_window: str | None
    cut_off: str | None
    validity_range: str | None
    is_invalid: bool
    specimen_fault: str | None
    rx_verification: str | None
    is_panel: bool
    is_presumptive: bool
    is_detected: bool | None
    status: int
    withheld: Withholding | None
    withheld_at: OptionalTime
    awaits_collection: bool
    released_at: OptionalTime
    released_by: str | None
    reason: str | None
    explanation: str | None
    corrected_from: list[ToxicologyVersion]
    data: ToxicologyRowData


class OtherMedication(Shape):
    """A reported medication without a verdict, and why."""

    medication_name: str
    rx_verification: str


class ToxicologySettings(Shape):
    """The lab's label for an unexpected positive (R 7)."""

    abnormal_result: str


class ToxicologyVerdictRead(Shape):
    """A released verdict, or one that a release would store.

    A critical verdict opens a critical notice. ``is_shown`` says whether readers see it already.
    """

    kind: ToxicologyVerdict
    medication: str
    name: str
    why: str
    is_presumptive: bool
    is_critical: bool
    is_shown: bool


class SpecimenLimits(Shape):
    """The limits of a valid specimen, both inclusive."""

    low: Decimal | None
    high: Decimal | None


class ToxicologyEntryRow(Shape):
    """A test on the toxicology entry screen.

    Attributes:
        same_as: the row where the result is entered, if several panels contain the test.
        result_unit: the unit of the stored result, which was entered before ``unit`` changed.
        unit_notice: what to know about a result or limits in another unit than the test has now.
        judged_limits: those by which the stored result of a test of the specimen was judged.
        measured: the measured value, before it is multiplied by ``dilution``.
        first_result: the value that a repeat replaced.
        released: the newest released result, with its time and the person who released it.
        left_because: why the reader may not release the entered result now.
    """

    order_test_id: int
    same_as: int | None
    parent_id: int | None
    level: int
    code: str
    name: str
    is_panel: bool
    method: ToxicologyMethod | None
    unit: str | None
    cut_off: Decimal | None
    low: Decimal | None
    high: Decimal | None
    detection_window: str | None
    result_unit: str | None
    unit_notice: str | None
    judged_limits: SpecimenLimits | None
    decimals: int | None
    possible_low: float | None
    possible_high: float | None
    plausible_low: float | None
    plausible_high: float | None
    choices: list[str]
    result: str | None
    measured: str | None
    dilution: float | None
    first_result: str | None
    is_confirmed: bool
    comment: str | None
    reason_code: str | None
    reason: str | None
    explanation: str | None
    is_detected: bool | None
    status: int
    awaits_collection: bool
    predates_specimen: bool
    released: str | None
    released_at: OptionalTime
    released_by: str | None
    withheld: EntryWithholding | None
    holds: list[EntryHold]
    left_because: str | None
    entered_by: str | None


class ToxicologyEntry(EntryHeader):
    """The toxicology entry screen of one order.

    ``specimen_fault`` and ``verdicts`` are those that clients see after a release by the reader: a
    result on hold, under review, or withdrawn counts as pending. ``gone_verdicts`` are the reasons
    of the verdicts that clients see now and would no longer see after that release.
    """

    medications: list[str]
    specimen_fault: str | None
    verdicts: list[ToxicologyVerdictRead]
    gone_verdicts: list[str]
    rows: list[ToxicologyEntryRow]


class ToxicologyResultWrite(Shape):
    """An entered result; an empty result withdraws an unreleased entry.

    Attributes:
        dilution: the factor by which the result is multiplied.
        is_repeat: whether the replaced result is stored as the first value.
        is_confirmed: the answer to the question whether an unusual result is right.
    """

    order_test_id: RecordId
    result: str | None = Field(default=None, max_length=100)
    comment: ResultComment = None
    dilution: Decimal | None = Field(default=None, gt=1, le=1_000_000)
    is_repeat: bool | None = None
    is_confirmed: bool | None = None
    reason_code: str | None = Field(default=None, max_length=50)
    explanation: str | None = Field(default=None, max_length=2_000)


class ToxicologyEntryWrite(Shape):
    """PUT toxicology-entry."""

    results: list[ToxicologyResultWrite] = Field(default=[], max_length=1_000)


class ToxicologyRelease(Shape):
    """POST toxicology-release: these tests, or all entered results when null."""

    order_test_ids: list[RecordId] | None = Field(default=None, max_length=1_000)
