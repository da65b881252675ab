"""Counts the work that waits for a person, with the searches that show it."""

from datetime import date

from app.contract.limits import TOTAL_COUNT_CAP
from app.server.access.reader import Reader
from app.server.critical_results.lists import critical_results
from app.server.lists.counts import CountedQuery, count_rows
from app.server.orders.lists import orders
from app.server.requisitions.lists import requisitions
from app.server.waiting.rules import SearchedList, list_searches
from app.server.waiting.schemas import WaitingCount

_LISTS = {
    SearchedList.REQUISITIONS: requisitions,
    SearchedList.ORDERS: orders,
    SearchedList.CRITICAL_RESULTS: critical_results,
}


async def count_waiting(reader: Reader, today: date) -> list[WaitingCount]:
    """Count the work that waits for the reader's actor, in one statement; empty for a patient."""
    searches = list_searches(reader.actor, today)
    queries = [CountedQuery(_LISTS[s.searched], s.build_filters()) for s in searches]
    counts = await count_rows(reader, queries, "waiting") if queries else []
    return [
        WaitingCount(
            kind=search.kind,
            count=min(count, TOTAL_COUNT_CAP - 1),
            is_capped=count >= TOTAL_COUNT_CAP,
            searched=search.searched,
            start_date=search.start_date,
            end_date=search.end_date,
            status=search.status,
            signature=search.signature,
            awaits_collection=search.awaits_collection,
            alert_results=search.alert_results,
            unread=search.unread,
            unread_by_physician=search.unread_by_physician,
        )
        for search, count in zip(searches, counts, strict=True)
    ]
