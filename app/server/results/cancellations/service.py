"""Cancels and reinstates tests of orders, and updates what depends on them."""

from app.server.access.work import Work
from app.server.orders.schemas import CancelTestsRequest, OrderRead, ReinstateTestsRequest
from app.server.orders.service import cancel
from app.server.orders.service.read import get_order, read_order
from app.server.results.clinical.service.cancel import recalculate_results
from app.server.results.toxicology.service.cancel import judge_again
from app.server.specimens.service.change import follow_cancellations


async def cancel_tests(work: Work, order_id: int, body: CancelTestsRequest) -> OrderRead:
    """Cancel tests, and update calculated results and verdicts (ADR 31, ADR 78).

    Raises what ``orders.service.cancel.cancel_tests`` raises.
    """
    await cancel.cancel_tests(work, order_id, body)
    return await _update_dependents(work, order_id)


async def reinstate_tests(work: Work, order_id: int, body: ReinstateTestsRequest) -> OrderRead:
    """Undo the cancellation of tests; results that depend on these tests wait for them again.

    Raises what ``orders.service.cancel.reinstate_tests`` raises.
    """
    await cancel.reinstate_tests(work, order_id, body)
    return await _update_dependents(work, order_id)


async def _update_dependents(work: Work, order_id: int) -> OrderRead:
    await recalculate_results(work, order_id)
    await judge_again(work, order_id)
    await follow_cancellations(work, await get_order(work, order_id, lock=True))
    return await read_order(work, order_id)
