"""Remembers the queries whose rows reached the cap of the count (ADR 20)."""

import time
from collections import OrderedDict
from collections.abc import Hashable
from weakref import WeakKeyDictionary

from app.server.database.pools import Database

_SECONDS = 60.0
_QUERIES_MAX = 1_000


class CappedTotals:
    """The queries of one database that were counted up to the cap within the last minute.

    Such a total rarely falls below the cap in that time, and counting it again is the most
    expensive part of a page.
    """

    def __init__(self) -> None:
        self._counted_at: OrderedDict[Hashable, float] = OrderedDict()

    def add(self, query: Hashable) -> None:
        """Remember a query that was just counted."""
        self._counted_at[query] = time.monotonic()
        self._counted_at.move_to_end(query)
        if len(self._counted_at) > _QUERIES_MAX:
            self._counted_at.popitem(last=False)

    def contains(self, query: Hashable) -> bool:
        """Whether the query was counted within the last minute."""
        counted_at = self._counted_at.get(query)
        return counted_at is not None and time.monotonic() - counted_at < _SECONDS


_BY_DATABASE: WeakKeyDictionary[Database, CappedTotals] = WeakKeyDictionary()


def get_capped_totals(database: Database) -> CappedTotals:
    """Return the memory of this database, which lives as long as the database's pools."""
    totals = _BY_DATABASE.get(database)
    if totals is None:
        totals = _BY_DATABASE[database] = CappedTotals()
    return totals
