"""Releases clinical results (DECISIONS, Results)."""

from app.basics.clock import get_lab_now
from app.basics.errors import NotFound
from app.contract import messages
from app.server.access.work import Work
from app.server.results.clinical.errors import NothingToRelease
from app.server.results.clinical.loading import ENTRY_QUERY, build_record
from app.server.results.clinical.repository import ResultChanges
from app.server.results.clinical.schemas import ReleaseRequest, ResultEntry
from app.server.results.clinical.service.entry import build_result_entry, update_order
from app.server.results.entry.loading import load_for_release


async def release_results(work: Work, order_id: int, body: ReleaseRequest) -> ResultEntry:
    """Release entered results; clients see them after the commit.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        NothingToRelease: the chosen tests have no entered, unreleased result.
    """
    record = build_record(await load_for_release(work, order_id, ENTRY_QUERY))
    tests = record.tests
    if body.order_test_ids is not None and not set(body.order_test_ids) <= {
        t.row.id for t in tests
    }:
        raise NotFound(messages.NOT_FOUND)
    now = get_lab_now(work.portal.settings.time_zone)
    changes = ResultChanges()
    for item in tests:
        is_chosen = body.order_test_ids is None or item.row.id in body.order_test_ids
        result = item.current
        if is_chosen and result and result.released_at is None:
            result.released_at = now
            result.released_by = work.actor.user_id
            changes.released.append(result)
    if not changes.released:
        raise NothingToRelease(messages.RESULT_NOTHING_TO_RELEASE)
    update_order(work, record, changes, released_at=now)
    detail = {"tests": len(changes.released)}
    await work.audit("release", "order-results", [order_id], detail)
    return build_result_entry(work, record)
