"""Releases the results of many orders, all or none (ADR 48)."""

from collections.abc import Collection
from dataclasses import dataclass

from app.basics.errors import BadInput, FieldError, NotFound, PortalError
from app.contract import messages
from app.contract.enumerations import ResultKind, ResultStatus, ToxicologyVerdict
from app.server.access.work import Work, require_expected_version
from app.server.orders.models import Order, OrderTest
from app.server.orders.rules import has_remark
from app.server.requisitions.rules import deduplicate_ids
from app.server.results.clinical.loading import EntryRecord, build_record, choose_query
from app.server.results.clinical.rules import is_critical
from app.server.results.clinical.service.entry import choose_tests
from app.server.results.clinical.service.obstacles import explain_unreleased, is_before_specimen
from app.server.results.clinical.service.release import release_tests
from app.server.results.clinical.service.units import needs_unit_check
from app.server.results.entry.loading import OrderEntry, load_for_release, load_locked_order
from app.server.results.microbiology.loading import QUERY as CULTURES
from app.server.results.microbiology.loading import build_record as build_cultures
from app.server.results.microbiology.service.entry import find_entry_obstacle as judge_culture
from app.server.results.pathology.loading import QUERY as REPORTS
from app.server.results.pathology.loading import collect_tests as collect_reports
from app.server.results.pathology.service.entry import find_entry_obstacle as judge_report
from app.server.results.toxicology.loading import QUERY, collect_tests
from app.server.results.toxicology.repository import MeasuredTest
from app.server.results.toxicology.service.assess import assess_results
from app.server.results.toxicology.service.entry import (
    describe_units,
    find_entry_obstacle,
    list_new_verdicts,
)
from app.server.results.toxicology.service.entry import (
    is_before_specimen as is_drug_before_specimen,
)
from app.server.results.toxicology.service.release import (
    get_released,
    mark_released,
    store_release,
)
from app.server.results.worklist import rules
from app.server.results.worklist.errors import OrderNotReleased
from app.server.results.worklist.schemas import (
    ReleasedOrder,
    ReleasedOrders,
    ReleaseManyRequest,
)

# A released test may also have an entered correction or addendum.
_NOTHING_ENTERED = (ResultStatus.PENDING, ResultStatus.CANCELED)


async def release_orders(work: Work, body: ReleaseManyRequest) -> ReleasedOrders:
    """Release the entered clinical and toxicology results of these orders, all or none.

    Cultures and pathology reports are released on their own screens; the answer names those that
    are entered.

    Raises:
        BadInput: there are no ids.
        Forbidden, NotFound.
        StaleVersion: the version of an order differs from the body's; the message names it.
        OrderNotReleased: an order has nothing to release, or a result that a person should look
            at first; the message names it.
    """
    ids = deduplicate_ids(body.ids)
    if not ids:
        raise BadInput.of(FieldError("ids", messages.VALUE_REQUIRED))
    releases: dict[int, _ReleaseOutcome] = {}
    # All releases lock orders in the same order, so that two people cannot wait for each other.
    for order_id in sorted(ids):
        releases[order_id] = await _release_order(work, order_id, body.versions.get(order_id))
    return ReleasedOrders(
        data=[
            ReleasedOrder(
                id=i,
                version=releases[i].order.version,
                status=releases[i].order.status,
                left=releases[i].obstacles,
            )
            for i in ids
        ]
    )


@dataclass(frozen=True)
class _ReleaseOutcome:
    """An order, and why some of its entered results were not released."""

    order: Order
    obstacles: list[str]


async def _release_order(work: Work, order_id: int, version: int | None) -> _ReleaseOutcome:
    record = build_record(await load_for_release(work, order_id, choose_query(work)))
    order = record.entry.order
    message = messages.RELEASE_ORDER_CHANGED.format(code=order.code)
    require_expected_version(order, version, message)
    kinds = {item.row.kind for item in record.entry.tests}
    try:
        obstacles_by_test = explain_unreleased(work, record)
        is_released = await _release_clinical(work, record, obstacles_by_test)
        obstacles = [*obstacles_by_test.values()]
        if ResultKind.TOXICOLOGY in kinds:
            order, has_toxicology, others = await _release_toxicology(work, order_id, order)
            is_released = is_released or has_toxicology
            obstacles += others
        obstacles += await _explain_separate_families(work, record.entry)
        if not is_released:
            raise OrderNotReleased(next(iter(obstacles), messages.RESULT_NOTHING_TO_RELEASE))
    except NotFound:
        raise
    except PortalError as error:
        text = messages.RELEASE_STOPPED.format(code=order.code, reason=error.detail)
        raise OrderNotReleased(text) from error
    return _ReleaseOutcome(order, obstacles)


async def _release_clinical(work: Work, record: EntryRecord, blocked_ids: Collection[int]) -> bool:
    ready_tests = [
        (item, item.current)
        for item in choose_tests(record, None)
        if item.current is not None
        and item.current.released_at is None
        and item.owner_row_id not in blocked_ids
    ]
    for item, result in ready_tests:
        reason = rules.find_concern(
            rules.ReadyResult(
                item.test.name,
                is_critical=is_critical(result.flag),
                is_implausible=result.is_confirmed,
                is_delta_exceeded=result.is_delta_exceeded,
                is_correction=item.newest_released is not None,
                is_specimen_rejected=item.row.needs_specimen,
                predates_specimen=is_before_specimen(record, item),
                has_remark=has_remark(record.entry.order.specimen_condition),
                needs_unit_check=needs_unit_check(record, item, result),
            )
        )
        if reason is not None:
            raise OrderNotReleased(reason)
    if ready_tests:
        await release_tests(work, record, None)
    return bool(ready_tests)


async def _release_toxicology(
    work: Work, order_id: int, order: Order
) -> tuple[Order, bool, list[str]]:
    """Release the toxicology results of an order.

    Returns the order, whether any result was released, and why each of the others was not.
    """
    entry = await load_for_release(work, order_id, QUERY)
    tests = collect_tests(entry)
    entered_tests = [item for item in tests if _is_ready(item)]
    obstacles = {
        item.row.id: obstacle
        for item in entered_tests
        if (obstacle := find_entry_obstacle(work, entry, item))
    }
    ready_tests = [item for item in entered_tests if item.row.id not in obstacles]
    if not ready_tests:
        return order, False, [*obstacles.values()]
    for item in ready_tests:
        is_correction = any(version.released_at is not None for version in item.versions)
        state = rules.ReadyResult(
            item.row.name,
            is_implausible=bool(item.current and item.current.is_confirmed),
            is_correction=is_correction,
            is_specimen_rejected=item.row.needs_specimen,
            predates_specimen=is_drug_before_specimen(entry, item),
            has_remark=has_remark(entry.order.specimen_condition),
            needs_unit_check=describe_units(item, item.current) is not None,
        )
        reason = rules.find_concern(state)
        if reason is not None:
            raise OrderNotReleased(reason)
    changes = mark_released(work, entry, tests, None)
    assessment = assess_results(entry, tests, get_released)
    # Only new verdicts count: a person looked at the others when they were released.
    unexpected_drugs = (
        verdict.name
        for verdict in list_new_verdicts(entry, assessment)
        if verdict.kind is ToxicologyVerdict.UNEXPECTED_POSITIVE
    )
    reason = rules.find_toxicology_concern(assessment.specimen_fault, next(unexpected_drugs, None))
    if reason is not None:
        raise OrderNotReleased(reason)
    await store_release(work, entry, tests, changes, assessment)
    return entry.order, True, [*obstacles.values()]


async def _explain_separate_families(work: Work, entry: OrderEntry) -> list[str]:
    """Return why entered cultures and pathology reports stay unreleased."""
    order_id = entry.order.id
    explanations: list[str] = []
    kinds = {item.row.kind for item in entry.tests if item.row.status not in _NOTHING_ENTERED}
    if ResultKind.MICROBIOLOGY in kinds:
        record = build_cultures(await load_locked_order(work, order_id, CULTURES))
        explanations += [
            judge_culture(work, record, culture) or _say_where(culture.row)
            for culture in record.tests
            if culture.unreleased_version is not None
            and culture.row.status != ResultStatus.CANCELED
        ]
    if ResultKind.PATHOLOGY in kinds:
        entry = await load_locked_order(work, order_id, REPORTS)
        explanations += [
            judge_report(work, entry, report) or _say_where(report.row)
            for report in collect_reports(entry)
            if report.draft is not None and report.row.status != ResultStatus.CANCELED
        ]
    return explanations


def _say_where(test: OrderTest) -> str:
    return messages.RELEASE_SEPARATELY.format(test=test.name, family=test.kind.capitalize())


def _is_ready(item: MeasuredTest) -> bool:
    current = item.current
    is_open = item.row.status != ResultStatus.CANCELED
    return is_open and current is not None and current.released_at is None
