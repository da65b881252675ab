"""HTTP shapes of counts of waiting work."""

from datetime import date

from app.contract.enumerations import SignatureFilter
from app.server.access.schemas import Shape
from app.server.waiting.rules import SearchedList, WaitingKind


class WaitingCount(Shape):
    """How many records wait, and the search that finds exactly these.

    ``searched`` is the list; the dates, ``status``, ``signature``, and the flags are its filters.
    ``is_capped`` says that at least ``count`` records wait.
    """

    kind: WaitingKind
    count: int
    is_capped: bool
    searched: SearchedList
    start_date: date | None
    end_date: date | None
    status: int
    signature: SignatureFilter | None
    awaits_collection: bool | None
    alert_results: bool | None
    unread: bool | None
    unread_by_physician: bool | None
