"""Puts released results under review, withdraws them, and ends reviews (DECISIONS)."""

from app.basics.clock import get_lab_now
from app.basics.errors import require_no_errors
from app.contract import messages
from app.contract.enumerations import ReasonKind, Reopening, Withholding
from app.server.access.work import Work
from app.server.results.clinical.loading import build_record, choose_query
from app.server.results.clinical.repository import ResultChanges
from app.server.results.clinical.schemas import ResultEntry
from app.server.results.clinical.service.calculate import (
    calculate_results,
    review_stale_calculations,
)
from app.server.results.clinical.service.entry import (
    build_result_entry,
    choose_tests,
    update_order,
)
from app.server.results.clinical.service.validate import validate_reason
from app.server.results.clinical.service.versions import mark_withheld
from app.server.results.entry.errors import NothingToChange
from app.server.results.entry.loading import load_for_release
from app.server.results.entry.progress import ShownChange
from app.server.results.entry.schemas import RestoreRequest, WithholdRequest
from app.server.results.entry.withholding import end_review, withhold_versions


async def withhold_results(work: Work, order_id: int, body: WithholdRequest) -> ResultEntry:
    """Put released results under review, or withdraw them; only the lab sees them from now on.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        BadInput: the reason is not in the lab's list.
        NothingToChange: a chosen test has no released result, or all chosen tests are canceled.
    """
    record = build_record(await load_for_release(work, order_id, choose_query(work)))
    require_no_errors(validate_reason(record, ReasonKind.CORRECTION, body))
    now = get_lab_now(work.portal.settings.time_zone)
    changes = ResultChanges()
    tests = choose_tests(record, body.order_test_ids)
    if not tests:
        raise NothingToChange(messages.RESULT_NOTHING_TO_WITHHOLD)
    for item in tests:
        released_versions = [
            version for version in item.versions if version.released_at is not None
        ]
        if not released_versions:
            raise NothingToChange(messages.RESULT_NOTHING_TO_WITHHOLD)
        changes.withheld += withhold_versions(
            released_versions, body, by=work.actor.user_id, at=now
        )
        mark_withheld(
            record, item, Withholding(released_versions[-1].withheld or body.kind), now, changes
        )
    calculate_results(work, record, changes)
    review_stale_calculations(work, record, changes)
    detail = {"tests": len(tests), "kind": body.kind, "reason": body.reason}
    update_order(work, record, changes, change=ShownChange(Reopening(body.kind), now))
    await work.audit("withhold", "order-results", [order_id], detail)
    return build_result_entry(work, record)


async def restore_results(work: Work, order_id: int, body: RestoreRequest) -> ResultEntry:
    """End the review of results, so that everybody sees them again unchanged.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        NothingToChange: a chosen test has no result under review, or all chosen tests are
            canceled.
    """
    record = build_record(await load_for_release(work, order_id, choose_query(work)))
    now = get_lab_now(work.portal.settings.time_zone)
    changes = ResultChanges()
    tests = choose_tests(record, body.order_test_ids)
    if not tests:
        raise NothingToChange(messages.RESULT_NOTHING_UNDER_REVIEW)
    for item in tests:
        reviewed_versions = end_review(item.versions)
        if not reviewed_versions:
            raise NothingToChange(messages.RESULT_NOTHING_UNDER_REVIEW)
        changes.withheld += reviewed_versions
        mark_withheld(record, item, None, now, changes)
    calculate_results(work, record, changes)
    review_stale_calculations(work, record, changes)
    update_order(work, record, changes, change=ShownChange(Reopening.RESTORED, now))
    detail = {"tests": len(tests)}
    await work.audit("restore", "order-results", [order_id], detail)
    return build_result_entry(work, record)
