"""Calculates the results of an order after tests were canceled or reinstated (ADR 78)."""

from app.server.access.work import Work
from app.server.results.clinical.loading import build_record, choose_query
from app.server.results.clinical.repository import ResultChanges
from app.server.results.clinical.service.calculate import calculate_results
from app.server.results.clinical.service.entry import update_order
from app.server.results.entry.loading import load_locked_order


async def recalculate_results(work: Work, order_id: int) -> None:
    """Recalculate the results of an order whose tests this transaction has changed.

    A result that is calculated from a canceled test becomes NOT CALCULATED. Once the test is
    reinstated, the result waits for it again.
    """
    record = build_record(await load_locked_order(work, order_id, choose_query(work)))
    changes = ResultChanges()
    calculate_results(work, record, changes)
    if changes.added or changes.edited or changes.withdrawn:
        update_order(work, record, changes)
