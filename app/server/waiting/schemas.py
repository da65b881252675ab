"""HTTP shapes of counts of waiting work."""

from datetime import date

from app.contract.enumerations import SignatureFilter
from app.server.access.schemas import Shape
from app.server.waiting.rules import SearchedList, WaitingKind


class WaitingCount(Shape):
    """How many records wait, and the search that finds exactly these.

    The dates, ``status``, ``signature``, and the flags are filters of the list.

    Attributes:
        is_capped: whether ``count`` records or more wait.
        searched: the list.
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
