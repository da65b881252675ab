"""Judges an order's toxicology results by reported medications and reference tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.contract.enumerations import (
    ResultFlag,
    ResultKind,
    ResultStatus,
    ToxicologyMethod,
    ToxicologyVerdict,
    Withholding,
)
from app.server.critical_results.repository import CriticalResult
from app.server.orders.rules import FAMILY_BITS
from app.server.results.entry.loading import OrderEntry
from app.server.results.entry.progress import FamilyProgress
from app.server.results.toxicology import rules
from app.server.results.toxicology.loading import build_tables
from app.server.results.toxicology.models import ToxicologyResult
from app.server.results.toxicology.repository import MeasuredTest, list_distinct
from app.server.results.toxicology.rules import JudgedTest, ValidityLimit, Verdict

KIND = ResultKind.TOXICOLOGY
Choose = Callable[[MeasuredTest], ToxicologyResult | None]
"""Chooses the version of a test's result that counts: the released, or the entered one."""


@dataclass(frozen=True)
class Assessment:
    """The verdicts on an order's results, and what they were judged by.

    Attributes:
        specimen_fault: why the specimen is invalid. A validity test without a result is no fault,
            although it blocks negative verdicts as well.
    """

    medications: list[str]
    edition: str | None
    specimen_fault: str | None
    verdicts: list[Verdict]
    criticals: list[Verdict]

    def has_verdict(self, *kinds: ToxicologyVerdict) -> bool:
        """Whether a verdict of one of these kinds was reached."""
        return any(verdict.kind in kinds for verdict in self.verdicts)


def assess_results(entry: OrderEntry, tests: Sequence[MeasuredTest], choose: Choose) -> Assessment:
    """Judge the chosen version of each test's result; canceled tests are ignored."""
    tables = build_tables(entry)
    counted_tests = list_distinct(
        t for t in tests if t.reference and t.row.status != ResultStatus.CANCELED
    )
    medications: list[str] = entry.parts["medications"]
    drugs = [
        drug
        for medication in medications
        for drug in rules.resolve_medication(
            medication, tables.names, tables.critical_by_substance.keys()
        )
    ]
    fault = _find_fault(counted_tests, choose)
    doubt = fault or _find_missing_validity(counted_tests, choose)
    judged_tests = [
        _build_judged_test(item, method, choose(item))
        for item in counted_tests
        if (method := item.find_method(choose(item))) is not ToxicologyMethod.VALIDITY
    ]
    verdicts = rules.compute_verdicts(drugs, judged_tests, tables.metabolites, doubt)
    return Assessment(
        medications=medications,
        edition=tables.edition,
        specimen_fault=fault,
        verdicts=verdicts,
        criticals=[
            verdict
            for verdict in verdicts
            if verdict.kind is ToxicologyVerdict.UNEXPECTED_POSITIVE
            and not verdict.is_presumptive
            and tables.critical_by_substance.get(verdict.name, False)
        ],
    )


def build_progress(tests: Sequence[MeasuredTest], assessment: Assessment) -> FamilyProgress:
    """Build the progress of an order from a release."""
    return FamilyProgress(
        statuses=compute_statuses(tests),
        has_critical=bool(assessment.criticals),
        has_abnormal=assessment.specimen_fault is not None
        or assessment.has_verdict(
            ToxicologyVerdict.UNEXPECTED_NEGATIVE, ToxicologyVerdict.UNEXPECTED_POSITIVE
        ),
        criticals=[
            critical
            for verdict in assessment.criticals
            if (critical := _build_critical(verdict, tests)) is not None
        ],
        shown_values={
            item.row.id: item.released.value if item.released else None for item in tests
        },
    )


def build_entered_progress(entry: OrderEntry, tests: Sequence[MeasuredTest]) -> FamilyProgress:
    """Build the progress of an entry; only a release changes what is critical or abnormal."""
    bit = FAMILY_BITS[KIND]
    return FamilyProgress(
        statuses=compute_statuses(tests),
        has_critical=bool(entry.order.critical_kinds & bit),
        has_abnormal=bool(entry.order.abnormal_kinds & bit),
    )


def _build_critical(verdict: Verdict, tests: Sequence[MeasuredTest]) -> CriticalResult | None:
    """Build the critical result of a confirmed substance, with the time of its newest result."""
    results = [
        (_find_first_release(item), item.row.id)
        for item in tests
        if item.row.id in verdict.tests and item.released
    ]
    if not results:
        return None
    released_at, test_id = max(results)
    flag = ResultFlag.CRITICAL_ABNORMAL
    return CriticalResult(test_id, verdict.name, verdict.why, flag, released_at)


def _find_first_release(item: MeasuredTest) -> datetime:
    """Return when the visible result was first released; later versions may add a comment.

    If it was withdrawn and reported again, this is the time of the later release.
    """
    assert item.released is not None
    times = []
    for version in reversed(item.released_versions):
        is_withdrawn = version.withheld == Withholding.WITHDRAWN
        if is_withdrawn or _get_statement(version) != _get_statement(item.released):
            break
        assert version.released_at is not None
        times.append(version.released_at)
    return times[-1]


def _get_statement(version: ToxicologyResult) -> tuple[str, str | None, bool | None]:
    return version.value, version.unit, version.is_detected


def compute_statuses(tests: Sequence[MeasuredTest]) -> dict[int, ResultStatus]:
    """Compute the status of each test; canceled tests stay canceled."""
    return {
        item.row.id: _compute_status(item)
        for item in tests
        if not item.row.is_panel and item.row.status != ResultStatus.CANCELED
    }


def compute_shown_status(item: MeasuredTest, result: ToxicologyResult | None) -> ResultStatus:
    """Return the status of the result that a screen shows; a correction shows as unreleased."""
    if item.row.is_panel:
        return ResultStatus.NONE
    if item.row.status == ResultStatus.CANCELED:
        return ResultStatus.CANCELED
    if result is None:
        return ResultStatus.PENDING
    return ResultStatus.FINAL if result.released_at else ResultStatus.UNRELEASED


def _compute_status(item: MeasuredTest) -> ResultStatus:
    if item.released:
        return ResultStatus.FINAL
    return ResultStatus.UNRELEASED if item.current else ResultStatus.PENDING


def find_validity_limit(
    item: MeasuredTest, result: ToxicologyResult | None
) -> ValidityLimit | None:
    """Return the limits of a test of the specimen; None for other tests.

    A result has the limits by which it was judged. A test without a result has its current limits,
    unless they are in another unit.
    """
    if item.find_method(result) is not ToxicologyMethod.VALIDITY:
        return None
    basis = item.fitting_reference if result is None else result
    return ValidityLimit(basis.low, basis.high) if basis else ValidityLimit()


def _build_judged_test(
    item: MeasuredTest, method: ToxicologyMethod | None, result: ToxicologyResult | None
) -> JudgedTest:
    assert item.reference is not None
    assert method is not None
    return JudgedTest(
        key=item.row.id,
        name=item.row.name,
        method=method,
        targets=frozenset(item.reference.targets),
        is_detected=result.is_detected if result else None,
    )


def _find_fault(tests: Sequence[MeasuredTest], choose: Choose) -> str | None:
    """Find the first reason why the specimen is invalid."""
    for item in tests:
        result = choose(item)
        limit = find_validity_limit(item, result)
        if result is None or limit is None:
            continue
        fault = rules.find_specimen_fault(item.row.name, result.value, limit)
        if fault is not None:
            return fault
    return None


def _find_missing_validity(tests: Sequence[MeasuredTest], choose: Choose) -> str | None:
    """Find the first test of the specimen's validity without a usable result.

    A result is not usable while it is not entered, on hold, under review, or withdrawn, or in
    another unit than the limits. Then nobody knows whether the specimen is valid.
    """
    for item in tests:
        result = choose(item)
        if item.find_method(result) is not ToxicologyMethod.VALIDITY:
            continue
        if result is None:
            return f"{item.row.name} is pending"
        if result.method is None and rules.parse_number(result.value) is not None:
            return f"{item.row.name} is not judged"
    return None
