"""Releases entered results that the lab's rules of autoverification allow (ADR 50)."""

from collections.abc import Iterable
from datetime import datetime

from app.contract.enumerations import Gender
from app.server.lab_settings.rules import is_verification_required
from app.server.orders.rules import has_remark
from app.server.results.automation.rules import Candidate, LastResult, find_obstacle
from app.server.results.clinical.loading import EntryRecord
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import ResultChanges, TestWithResult
from app.server.results.clinical.service.calculate import find_unreleased_input, is_calculated
from app.server.results.clinical.service.obstacles import is_before_specimen
from app.server.results.entry.checks import build_bounds, find_excess


def autoverify_results(
    record: EntryRecord, changes: ResultChanges, now: datetime
) -> list[TestWithResult]:
    """Release the entered results that can be released automatically, and return their tests.

    ``waits_for`` says why the others wait for a person. A released result counts as verified.
    """
    released_results = []
    # Calculated results come last, since they need released inputs.
    for item in sorted(_list_entered_tests(record, changes), key=is_calculated):
        rule, result = record.automation.get(item.test.id), item.current
        if rule is None or result is None:
            continue
        result.waits_for = find_obstacle(rule.limits, _build_candidate(record, item, result))
        if result.waits_for is not None:
            continue
        result.released_at, result.released_by = now, None
        result.autoverified_version = rule.version
        if is_verification_required(record.entry.flags):
            result.verified_at, result.verified_by = now, None
        released_results.append(item)
    return released_results


def _list_entered_tests(record: EntryRecord, changes: ResultChanges) -> Iterable[TestWithResult]:
    """List the tests whose unreleased result this save has entered or calculated."""
    entered_ids = {id(result) for result in (*changes.added, *changes.edited)}
    for item in record.tests:
        current = item.current
        if not item.owns_result or item.is_canceled or current is None:
            continue
        if id(current) in entered_ids and current.released_at is None:
            yield item


def _build_candidate(record: EntryRecord, item: TestWithResult, result: Result) -> Candidate:
    order, test = record.entry.order, item.test
    excess = None
    if result.number is not None:
        excess = find_excess(result.number, build_bounds(test), sign="")
    return Candidate(
        number=result.number,
        sign=result.sign,
        flag=result.flag,
        has_range=result.reference_range is not None,
        is_sex_missing=(
            test.id in record.sex_dependent
            and order.patient_gender not in (Gender.MALE, Gender.FEMALE)
        ),
        is_age_missing=test.id in record.age_dependent and order.patient_birth_date is None,
        is_unusual=result.is_confirmed or excess is not None,
        is_delta_exceeded=result.is_delta_exceeded,
        last=_find_last(record, item),
        is_correction=item.newest_released is not None,
        is_held=any(hold.test_id == test.id for hold in record.holds),
        has_remark=has_remark(order.specimen_condition) or _awaits_specimen(record, item),
        is_specimen_missing=is_before_specimen(record, item),
        has_unreleased_input=find_unreleased_input(record, item) is not None,
        unit=result.unit,
        method=result.method,
    )


def _find_last(record: EntryRecord, item: TestWithResult) -> LastResult | None:
    """Return the patient's last result; without a number if the two cannot be compared."""
    test, last = item.test, record.previous.get(item.test.id)
    if last is None:
        return None
    days = (record.entry.order.collection_date - last.collection_date).days
    is_comparable = not last.sign and last.find_difference(test) is None
    return LastResult(last.number if is_comparable else None, days)


def _awaits_specimen(record: EntryRecord, item: TestWithResult) -> bool:
    return any(other.row.needs_specimen for other in record.tests if other.test.id == item.test.id)
