"""Cancels and reinstates tests of orders, with the results that are calculated from them."""

from app.server.access.work import Work
from app.server.orders.schemas import CancelTestsRequest, OrderRead, ReinstateTestsRequest
from app.server.orders.service import cancel
from app.server.orders.service.read import get_order, read_order
from app.server.results.clinical.loading import build_record, choose_query
from app.server.results.clinical.repository import ResultChanges
from app.server.results.clinical.service.calculate import calculate_results
from app.server.results.clinical.service.entry import update_order
from app.server.results.entry.loading import load_locked_order
from app.server.specimens.service.change import follow_cancellations


async def cancel_tests(work: Work, order_id: int, body: CancelTestsRequest) -> OrderRead:
    """Cancel tests; what is calculated from them becomes NOT CALCULATED (ADR 78).

    Raises what ``orders.service.cancel.cancel_tests`` raises.
    """
    await cancel.cancel_tests(work, order_id, body)
    return await _recalculate_results(work, order_id)


async def reinstate_tests(work: Work, order_id: int, body: ReinstateTestsRequest) -> OrderRead:
    """Undo the cancellation of tests; what is calculated from them waits for them again.

    Raises what ``orders.service.cancel.reinstate_tests`` raises.
    """
    await cancel.reinstate_tests(work, order_id, body)
    return await _recalculate_results(work, order_id)


async def _recalculate_results(work: Work, order_id: int) -> OrderRead:
    record = build_record(await load_locked_order(work, order_id, choose_query(work)))
    changes = ResultChanges()
    calculate_results(work, record, changes)
    if changes.added or changes.edited or changes.withdrawn:
        update_order(work, record, changes)
    await follow_cancellations(work, await get_order(work, order_id, lock=True))
    return await read_order(work, order_id)
