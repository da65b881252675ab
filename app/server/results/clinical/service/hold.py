"""Holds tests, so that their results cannot be released, and lifts holds."""

from app.basics.clock import get_lab_now
from app.basics.errors import NotFound, require_no_errors
from app.basics.text import clean
from app.contract import messages
from app.contract.enumerations import ReasonKind
from app.server.access.work import Work
from app.server.results.clinical.loading import EntryRecord, build_record, choose_query
from app.server.results.clinical.models import ResultHold
from app.server.results.clinical.repository import ClinicalResultRepository, ResultChanges
from app.server.results.clinical.schemas import HoldRequest, LiftRequest, ResultEntry
from app.server.results.clinical.service.calculate import calculate_results
from app.server.results.clinical.service.entry import (
    build_result_entry,
    choose_tests,
    read_entry,
    update_order,
)
from app.server.results.clinical.service.validate import validate_reason
from app.server.results.entry.loading import load_for_release


async def place_holds(work: Work, order_id: int, body: HoldRequest) -> ResultEntry:
    """Hold tests in this order, or in every order; their results cannot be released.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        BadInput: the reason is not in the lab's list.
    """
    record = build_record(await load_for_release(work, order_id, choose_query(work)))
    require_no_errors(validate_reason(record, ReasonKind.HOLD, body))
    assert work.actor.user_id is not None
    now = get_lab_now(work.portal.settings.time_zone)
    holds = [
        ResultHold(
            test_id=item.test.id,
            order_id=None if body.every_order else order_id,
            reason=body.reason,
            words=clean(body.words),
            placed_by=work.actor.user_id,
            placed_at=now,
        )
        for item in choose_tests(record, body.order_test_ids)
    ]
    work.build_repository(ClinicalResultRepository).store_holds(holds)
    record.holds += holds
    _store(work, record)
    detail = {"tests": len(holds), "reason": body.reason, "everyOrder": bool(body.every_order)}
    await work.audit("hold", "order-results", [order_id], detail)
    # The answer names the ids of the new holds.
    return await read_entry(work, order_id)


async def lift_hold(work: Work, order_id: int, hold_id: int, body: LiftRequest) -> ResultEntry:
    """Lift a hold of this order or of every order.

    Raises:
        Forbidden, StaleVersion, OrderReadOnly.
        NotFound: also when somebody has lifted the hold already.
    """
    record = build_record(await load_for_release(work, order_id, choose_query(work)))
    hold = _get_hold(record, hold_id)
    hold.lifted_by = work.actor.user_id
    hold.lifted_at = get_lab_now(work.portal.settings.time_zone)
    hold.lifted_words = clean(body.words)
    work.build_repository(ClinicalResultRepository).lift_hold(hold)
    record.holds.remove(hold)
    _store(work, record)
    detail = {"hold": hold_id, "everyOrder": hold.order_id is None}
    await work.audit("lift-hold", "order-results", [order_id], detail)
    return build_result_entry(work, record)


def _store(work: Work, record: EntryRecord) -> None:
    """Store the order; results that are calculated from held tests come and go with the hold."""
    changes = ResultChanges()
    calculate_results(work, record, changes)
    update_order(work, record, changes)


def _get_hold(record: EntryRecord, hold_id: int) -> ResultHold:
    for hold in record.holds:
        if hold.id == hold_id:
            return hold
    raise NotFound(messages.NOT_FOUND)
