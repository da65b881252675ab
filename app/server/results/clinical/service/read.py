"""Reads the clinical results of an order, and the patient's earlier values (R 2.2)."""

from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

from app.contract import messages
from app.contract.enumerations import ResultStatus, ScopeKind
from app.server.access.answers import Values
from app.server.access.reader import Reader
from app.server.access.work import Work
from app.server.catalog.models import ReferenceRange
from app.server.orders.models import OrderTest
from app.server.orders.service.read import get_order
from app.server.results.clinical import rules
from app.server.results.clinical.formulas import find_title
from app.server.results.clinical.models import Result
from app.server.results.clinical.opening import OpenedResults, open_results
from app.server.results.clinical.repository import ClinicalResultRepository, TestWithResult
from app.server.results.clinical.schemas import LastValue, LastValues
from app.server.results.clinical.service.ranges import format_reference_range
from app.server.results.clinical.service.versions import find_releaser
from app.server.results.performing import list_performers


async def read_clinical_results(reader: Reader, order_id: int) -> list[Values]:
    """Return every test of the order as a tree of rows, or raise NotFound.

    The rows are the values of ``ClinicalResultRow``. Tests of other families are left out. Only the
    lab sees values before release.
    """
    opened_results = await open_results(reader, order_id)
    is_lab = reader.actor.kind is ScopeKind.STAFF
    return [
        _build_row(
            item,
            opened_results.ranges.get(item.test.id),
            [
                _build_correction(*pair, opened_results.user_names, opened_results.reason_words)
                for pair in item.corrections
                if not item.is_row_canceled
            ],
            opened_results,
            is_lab=is_lab,
        )
        for item in opened_results.tests
    ]


async def read_last_values(work: Work, order_id: int) -> list[LastValues]:
    """Return the patient's earlier released values of each test of an order, or raise NotFound."""
    order = await get_order(work, order_id)
    await work.audit("read", "order-results", [order.id])
    repository = work.build_repository(ClinicalResultRepository)
    tests = [item for item in await repository.load_tests(order) if not item.row.is_panel]
    values = await repository.load_last_values(order, [item.test.id for item in tests])
    return [
        LastValues(
            key=item.row.id,
            values=[
                LastValue(
                    collection_date=value.collection_date,
                    result=value.value,
                    number=value.number,
                    flag=value.flag,
                )
                for value in values[item.test.id]
            ],
        )
        for item in tests
        if item.test.id in values
    ]


def _build_correction(
    old: Result, new: Result, names: Mapping[UUID, str], reasons: Mapping[str, str]
) -> Values:
    """Build the values of a ``CorrectedResult``."""
    return {
        "result": old.value,
        "flag": old.flag,
        "unit": old.unit,
        "referenceRange": old.reference_range,
        "comment": old.comment,
        "correctedAt": new.released_at,
        "correctedBy": names.get(new.entered_by) if new.entered_by else None,
        "reason": reasons.get(new.reason, new.reason) if new.reason else None,
        "words": new.reason_words,
    }


def _build_row(
    item: TestWithResult,
    reference: ReferenceRange | None,
    corrections: list[Values],
    opened_results: OpenedResults,
    *,
    is_lab: bool,
) -> Values:
    """Build a row; a result has the range of its entry, a pending test the current range.

    A canceled row has no result: the analyte's result belongs to another row (ADR 92).
    """
    row, result = item.row, item.current if is_lab else item.released
    if item.is_row_canceled:
        result = None
    version = result or PendingResult(item.test.unit, format_reference_range(item.test, reference))
    flag = version.flag
    reason = result.reason if result and result.released_at else None
    return {
        "key": row.id,
        "parentKey": row.parent_id,
        "name": row.name,
        "result": version.value,
        "comment": version.comment,
        "calculated": find_title(version.formula),
        "flag": flag,
        "unit": version.unit,
        "referenceRange": version.reference_range,
        "clinicalRangeComment": version.range_comment,
        "resultReportComments": list_report_comments(version, opened_results.lab_name),
        "isAbnormal": rules.is_abnormal(flag),
        "isCritical": rules.is_critical(flag),
        "hasNoRange": rules.has_no_range(version.number, flag, version.reference_range),
        "isPanel": row.is_panel,
        "isCorrected": item.is_corrected and not item.is_row_canceled,
        "corrections": corrections,
        "reason": opened_results.reason_words.get(reason, reason) if reason else None,
        "reasonWords": result.reason_words if result and reason else None,
        "withheld": row.withheld,
        "withheldAt": row.withheld_at,
        "awaitsCollection": row.needs_specimen,
        "status": _find_status(row, result),
        "releasedBy": find_releaser(result, opened_results.user_names) if is_lab else None,
    }


class PendingResult(NamedTuple):
    """What a row shows if its test has no result: the unit and the current reference range."""

    unit: str | None
    reference_range: str | None
    value: None = None
    number: None = None
    formula: None = None
    comment: None = None
    flag: None = None
    range_comment: None = None
    performing_lab: None = None


def list_report_comments(version: Result | PendingResult, lab_name: str | None) -> list[str]:
    """List what a report says about a result besides the comments on the result and its range."""
    title = find_title(version.formula)
    calculation = [messages.RESULT_FORMULA.format(formula=title)] if title else []
    return [*calculation, *list_performers(version.performing_lab, lab_name)]


def _find_status(row: OrderTest, result: Result | None) -> ResultStatus:
    if row.is_panel:
        return ResultStatus.NONE
    if row.status == ResultStatus.CANCELED:
        return ResultStatus.CANCELED
    if result is None:
        return ResultStatus.PENDING
    return ResultStatus.FINAL if result.released_at else ResultStatus.UNRELEASED
