"""Verifies and releases clinical results (DECISIONS, Results)."""

from datetime import datetime

from app.basics.clock import get_lab_now
from app.contract import messages
from app.contract.enumerations import Reopening
from app.server.access.work import Work
from app.server.results.clinical.errors import NothingToRelease
from app.server.results.clinical.loading import EntryRecord, build_record, choose_query
from app.server.results.clinical.repository import ResultChanges, TestWithResult
from app.server.results.clinical.schemas import ReleaseRequest, ResultEntry, VerifyRequest
from app.server.results.clinical.service.calculate import (
    is_calculated,
    list_calculated_from,
    review_stale_calculations,
)
from app.server.results.clinical.service.entry import (
    build_result_entry,
    choose_tests,
    read_entry,
    update_order,
)
from app.server.results.clinical.service.obstacles import find_obstacle
from app.server.results.clinical.service.reflex import add_reflex_tests
from app.server.results.clinical.service.versions import mark_withheld
from app.server.results.entry.errors import NothingToChange, NotReleasable
from app.server.results.entry.loading import load_for_release
from app.server.results.entry.progress import ShownChange
from app.server.results.entry.withholding import end_review


async def verify_results(work: Work, order_id: int, body: VerifyRequest) -> ResultEntry:
    """Verify entered results. A lab may require this before another person releases them.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        NothingToChange: the chosen tests have no entered result that is not verified.
    """
    record = build_record(await load_for_release(work, order_id, choose_query(work)))
    now = get_lab_now(work.portal.settings.time_zone)
    changes = ResultChanges()
    for item in choose_tests(record, body.order_test_ids):
        result = item.current
        if result and result.released_at is None and result.verified_at is None:
            result.verified_at, result.verified_by = now, work.actor.user_id
            changes.verified.append(result)
    if not changes.verified:
        raise NothingToChange(messages.RESULT_NOTHING_TO_VERIFY)
    update_order(work, record, changes)
    await work.audit("verify", "order-results", [order_id], {"tests": len(changes.verified)})
    return build_result_entry(work, record)


async def release_results(work: Work, order_id: int, body: ReleaseRequest) -> ResultEntry:
    """Release entered results; clients see them after the commit.

    Without chosen tests, releases every result that is not on hold and, if the lab requires
    verification, is verified. Results that are calculated from released ones are released, too.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        NothingToRelease: the chosen tests have no entered, unreleased result.
        NotReleasable: a chosen result is on hold or not verified.
    """
    record = build_record(await load_for_release(work, order_id, choose_query(work)))
    if await release_tests(work, record, body.order_test_ids):
        # Read again, because the answer also has the ranges of the added tests.
        return await read_entry(work, order_id)
    return build_result_entry(work, record)


async def release_tests(work: Work, record: EntryRecord, order_test_ids: list[int] | None) -> bool:
    """Release the chosen tests of a loaded order, or all that can be; see ``release_results``.

    Returns whether the results led to reflex tests.
    """
    now = get_lab_now(work.portal.settings.time_zone)
    changes = ResultChanges()
    obstacles: list[str] = []
    chosen_tests = choose_tests(record, order_test_ids)
    calculated_tests = list_calculated_from(record, chosen_tests)
    # Calculated results come last, since they need released inputs.
    for item in [*sorted(chosen_tests, key=is_calculated), *calculated_tests]:
        result = item.current
        if result is None or result.released_at is not None:
            continue
        obstacle = find_obstacle(work, record, item, result)
        if obstacle is None:
            result.released_at, result.released_by = now, work.actor.user_id
            changes.released.append(result)
            _end_withholding(record, item, now, changes)
        elif item not in calculated_tests:
            obstacles.append(obstacle)
    if obstacles and (order_test_ids is not None or not changes.released):
        raise NotReleasable(obstacles[0])
    if not changes.released:
        raise NothingToRelease(messages.RESULT_NOTHING_TO_RELEASE)
    review_stale_calculations(work, record, changes)
    has_added = await add_reflex_tests(
        work, record, changes.released, added_by=work.actor.user_id, added_at=now
    )
    update_order(work, record, changes, change=ShownChange(Reopening.RELEASE, now))
    detail = {"tests": len(changes.released)}
    await work.audit("release", "order-results", [record.entry.order.id], detail)
    return has_added


def _end_withholding(
    record: EntryRecord, item: TestWithResult, now: datetime, changes: ResultChanges
) -> None:
    """Show the analyte again: its released correction, and the earlier value after a review.

    A withdrawn value stays invisible outside the lab.
    """
    changes.withheld += end_review(item.versions)
    mark_withheld(record, item, None, now, changes)
