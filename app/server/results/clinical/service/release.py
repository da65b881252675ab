"""Releasing clinical results (DECISIONS, Results)."""

from app.basics.clock import lab_now
from app.basics.errors import NotFound
from app.contract import messages
from app.server.access.work import Work
from app.server.results.clinical.errors import NothingToRelease
from app.server.results.clinical.repository import ResultChanges
from app.server.results.clinical.schemas import ReleaseRequest, ResultEntry
from app.server.results.clinical.service.entry import (
    get_entry_to_release,
    shape_entry,
    update_order,
)


async def release(work: Work, order_id: int, body: ReleaseRequest) -> ResultEntry:
    """Release entered results; clients see them from this commit on.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        NothingToRelease: no entered, unreleased result among the chosen tests.
    """
    record = await get_entry_to_release(work, order_id)
    order, tests = record.order, record.tests
    if body.order_test_ids is not None and not set(body.order_test_ids) <= {
        t.row.id for t in tests
    }:
        raise NotFound(messages.NOT_FOUND)
    now = lab_now(work.portal.settings.time_zone)
    changes = ResultChanges()
    for target in tests:
        chosen = body.order_test_ids is None or target.row.id in body.order_test_ids
        entered = target.current
        if chosen and entered and entered.released_at is None:
            entered.released_at = now
            entered.released_by = work.actor.user_id
            changes.released.append(entered)
    if not changes.released:
        raise NothingToRelease(messages.RESULT_NOTHING_TO_RELEASE)
    order.reported_at = now
    update_order(work, record, changes)
    detail = {"tests": len(changes.released)}
    await work.audit("release", "order-results", [order.id], detail)
    return shape_entry(work, record)
