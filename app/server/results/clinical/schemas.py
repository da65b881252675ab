"""HTTP shapes of clinical results (R 3)."""

from decimal import Decimal

from pydantic import Field

from app.contract.enumerations import ResultFlag, Withholding
from app.server.access.schemas import RecordId, Shape
from app.server.orders.schemas import OptionalTime
from app.server.requisitions.schemas import ClinicalTime
from app.server.results.entry.schemas import (
    EntryHeader,
    EntryHold,
    EntryWithholding,
    Reasoned,
    ResultComment,
)


class CorrectedResult(Shape):
    """The earlier value of a corrected result, and who corrected it, when, and why.

    ``corrected_by`` is None for patients.
    """

    result: str
    flag: ResultFlag | None
    unit: str | None
    reference_range: str | None
    comment: str | None
    corrected_at: ClinicalTime
    corrected_by: str | None
    reason: str | None
    words: str | None


class ClinicalResultRow(Shape):
    """A row of the result tree; only the lab sees the value of an unreleased result.

    Attributes:
        calculated: the name of the formula of a calculated result.
        has_no_range: whether the result is a number that was not judged, without a reference range.
        corrections: the earlier released results, oldest first.
        reason, reason_words: why the released result corrected the one before it. Outside the lab,
            ``corrections`` does not contain that earlier result if it was withdrawn.
        withheld: set while the released result is under review or withdrawn; then only the lab sees
            its value.
        released_by: who released the result, or 'Autoverification'; only the lab sees it.
    """

    key: int
    parent_key: int | None
    name: str
    result: str | None
    comment: str | None
    calculated: str | None
    flag: ResultFlag | None
    unit: str | None
    reference_range: str | None
    clinical_range_comment: str | None
    result_report_comments: list[str] = []
    is_abnormal: bool
    is_critical: bool
    has_no_range: bool
    is_panel: bool
    is_corrected: bool
    corrections: list[CorrectedResult]
    reason: str | None
    reason_words: str | None
    withheld: Withholding | None
    withheld_at: OptionalTime
    awaits_collection: bool
    status: int
    released_by: str | None


class LastValue(Shape):
    """A released result of an earlier order; ``number`` is None for text."""

    collection_date: ClinicalTime
    result: str
    number: float | None
    flag: ResultFlag | None


class LastValues(Shape):
    """The patient's earlier results of a row's analyte, by the same method, oldest first."""

    key: int
    values: list[LastValue]


class EntryRow(Shape):
    """A test on the result entry screen.

    Attributes:
        same_as: the row where the result is entered, if several panels contain the test.
        measured: the measured value, before it is multiplied by ``dilution``.
        calculated: the name of the formula of a calculated result, which a typed value replaces.
        comment_notice: what to check about the comment on a recalculated result.
        result_unit: the unit of the stored result, which was entered before ``unit`` changed.
        unit_notice: what to know about a result or limits in another unit than the test has now.
        is_delta_exceeded: whether the stored result changed more than usual.
        predates_specimen: whether the unreleased result is older than its specimen in the lab.
        waits_because: why the entered result was not released automatically.
        left_because: why the reader may not release it now: a hold, a missing verification, or an
            unreleased input of its calculation.
        added_because: which result led a rule to add the test.
        is_reason_gone: whether the result of ``added_because`` was corrected or withdrawn since.
        previous_difference: why the previous result cannot be compared: another unit or method.
        delta_percent_max: the largest usual change since the previous result.
        delta_days_max: the number of days within which that limit applies.
    """

    order_test_id: int
    same_as: int | None
    parent_id: int | None
    level: int
    code: str
    name: str
    unit: str | None
    method: str | None
    decimals: int | None
    reference_range: str | None
    result_type: int
    choices: list[str]
    normal_choices: list[str]
    critical_choices: list[str]
    is_panel: bool
    awaits_collection: bool
    predates_specimen: bool
    result: str | None
    measured: str | None
    dilution: float | None
    first_result: str | None
    calculated: str | None
    comment: str | None
    comment_notice: str | None
    result_unit: str | None
    unit_notice: str | None
    flag: ResultFlag | None
    status: int
    is_correction: bool
    is_confirmed: bool
    is_delta_exceeded: bool
    reason: str | None
    reason_words: str | None
    waits_because: str | None
    left_because: str | None
    added_because: str | None
    is_reason_gone: bool
    released_result: str | None
    entered_by: str | None
    verified_by: str | None
    released_by: str | None
    released_at: OptionalTime
    withheld: EntryWithholding | None
    holds: list[EntryHold]
    previous_result: str | None
    previous_date: OptionalTime
    previous_days: int | None
    previous_difference: str | None
    low: float | None
    high: float | None
    critical_low: float | None
    critical_high: float | None
    possible_low: float | None
    possible_high: float | None
    plausible_low: float | None
    plausible_high: float | None
    delta_percent_max: float | None
    delta_days_max: int | None


class AutoverifiedResult(Shape):
    """A saved result whose test has a rule; ``reason`` says why it was not released."""

    name: str
    result: str
    reason: str | None


class ResultEntry(EntryHeader):
    """The result entry screen of one order's clinical results.

    ``autoverified`` is what autoverification did with the results that were just saved.
    """

    verification_required: bool
    autoverified: list[AutoverifiedResult]
    rows: list[EntryRow]


class ResultWrite(Shape):
    """An entered result; an empty result withdraws an unreleased entry.

    Attributes:
        unit: only compared with the unit of the test.
        dilution: the factor by which the result is multiplied.
        is_repeat: whether the replaced result is stored as the first value.
        is_confirmed: the answer to the question whether an implausible result is right.
        correction: required if the result is released.
    """

    order_test_id: RecordId
    result: str | None = Field(default=None, max_length=500)
    comment: ResultComment = None
    unit: str | None = Field(default=None, max_length=50)
    dilution: Decimal | None = Field(default=None, gt=1, le=1_000_000)
    is_repeat: bool | None = None
    is_confirmed: bool | None = None
    correction: Reasoned | None = None


class ResultEntryWrite(Shape):
    """PUT result-entry."""

    results: list[ResultWrite] = Field(default=[], max_length=1_000)


class ReleaseRequest(Shape):
    """POST release: these tests, or all entered results when null."""

    order_test_ids: list[RecordId] | None = Field(default=None, max_length=1_000)


class VerifyRequest(ReleaseRequest):
    """POST verify: these tests, or all entered results when null."""
