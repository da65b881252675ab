"""Holds tests, so that their results cannot be released, and lifts holds."""

from app.server.access.work import Work
from app.server.results.clinical.loading import EntryRecord, build_record, choose_query
from app.server.results.clinical.repository import ResultChanges
from app.server.results.clinical.schemas import ResultEntry
from app.server.results.clinical.service.calculate import calculate_results
from app.server.results.clinical.service.entry import (
    build_result_entry,
    find_tests,
    read_entry,
    update_order,
)
from app.server.results.entry import holding
from app.server.results.entry.loading import load_for_holding
from app.server.results.entry.schemas import HoldRequest, LiftRequest


async def place_holds(work: Work, order_id: int, body: HoldRequest) -> ResultEntry:
    """Hold tests in this order, or in every order; their results cannot be released.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        BadInput: the reason is not in the lab's list.
        NothingToChange: a chosen test is canceled, or already has such a hold.
    """
    record = build_record(await load_for_holding(work, order_id, choose_query(work)))
    tests = [
        holding.ChosenTest(item.test.id, item.row.name, item.is_canceled)
        for item in find_tests(record, body.order_test_ids)
    ]
    count = holding.hold_tests(work, record.entry, tests, body)
    _store_order(work, record)
    detail = {"tests": count, "reason": body.reason, "everyOrder": bool(body.every_order)}
    await work.audit("hold", "order-results", [order_id], detail)
    # Read again, because the answer has the ids of the new holds.
    return await read_entry(work, order_id)


async def lift_hold(work: Work, order_id: int, hold_id: int, body: LiftRequest) -> ResultEntry:
    """Lift a hold of this order or of every order.

    Raises:
        Forbidden, StaleVersion, OrderReadOnly.
        NotFound: there is no such hold, or somebody has lifted it already.
    """
    record = build_record(await load_for_holding(work, order_id, choose_query(work)))
    hold = holding.lift_hold(work, record.entry, hold_id, body)
    _store_order(work, record)
    detail = {"hold": hold_id, "everyOrder": hold.order_id is None}
    await work.audit("lift-hold", "order-results", [order_id], detail)
    return build_result_entry(work, record)


def _store_order(work: Work, record: EntryRecord) -> None:
    """Store the order, and withdraw or restore results that are calculated from held tests."""
    changes = ResultChanges()
    calculate_results(work, record, changes)
    update_order(work, record, changes)
