"""Stores what entered and released results mean for their order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from app.contract.enumerations import OrderStatus, Reopening, ResultKind, ResultStatus
from app.server.access.work import Work
from app.server.critical_results.repository import CriticalResult, CriticalResultRepository
from app.server.database.statements import build_update, format_rows
from app.server.orders.repository import OrderRepository
from app.server.orders.rules import compute_order_status, find_final_event, set_family
from app.server.orders.service.status import change_status
from app.server.results.entry.loading import OrderEntry

_ORDER_COLUMNS = (
    "status",
    "has_critical",
    "has_abnormal",
    "critical_kinds",
    "abnormal_kinds",
    "has_unexpected_positive",
    "reported_at",
    "shown_version",
    "is_unread",
    "is_unread_by_physician",
    "version",
)


@dataclass(frozen=True)
class ShownChange:
    """A change of an order that people outside the lab see: its kind and time."""

    kind: Reopening
    at: datetime

    @property
    def released_at(self) -> datetime | None:
        """The time of a release; None for other changes."""
        return self.at if self.kind is Reopening.RELEASE else None


@dataclass(frozen=True)
class FamilyProgress:
    """The state of one family's results of an order.

    Only released results count as critical or abnormal.

    Attributes:
        statuses: by the id of the order's test, without panels.
        criticals: the results that the client must learn of; a release opens a notice of them.
        shown_values: what clients see of each test, in a few words; None while they see no result.
    """

    statuses: Mapping[int, ResultStatus]
    has_critical: bool
    has_abnormal: bool
    criticals: Sequence[CriticalResult] = ()
    shown_values: Mapping[int, str | None] = field(default_factory=dict)


def update_progress(
    work: Work,
    entry: OrderEntry,
    kind: ResultKind,
    progress: FamilyProgress,
    *,
    change: ShownChange | None = None,
    is_addition: bool = False,
) -> None:
    """Update the order and its tests after a write of one family; the commit stores them.

    After a ``change`` of what people outside the lab see, they have to acknowledge the order again.
    The order reports the time of its last release. ``is_addition``: the release adds to what was
    released, and corrects nothing.
    """
    released_at = change.released_at if change else None
    order, tests = entry.order, [item.row for item in entry.tests]
    changed_tests = []
    for test in tests:
        status = progress.statuses.get(test.id)
        if status is not None and test.status != status:
            test.status = status
            changed_tests.append(test)
    before = OrderStatus(order.status)
    change_status(
        order,
        compute_order_status(ResultStatus(test.status) for test in tests if not test.is_panel),
    )
    order.critical_kinds = set_family(order.critical_kinds, kind, progress.has_critical)
    order.abnormal_kinds = set_family(order.abnormal_kinds, kind, progress.has_abnormal)
    order.has_critical = order.critical_kinds != 0
    order.has_abnormal = order.abnormal_kinds != 0
    order.reported_at = released_at or order.reported_at
    order.version += 1
    if change is not None:
        order.shown_version = order.version
        order.is_unread = order.is_unread_by_physician = True
        work.build_repository(OrderRepository).reopen_acknowledgments(order, change.kind, change.at)
    if changed_tests:
        rows = [{"id": test.id, "status": test.status} for test in changed_tests]
        work.statements.add(build_update("order_tests", ("status",)), {"rows": format_rows(rows)})
    row = {name: getattr(order, name) for name in ("id", *_ORDER_COLUMNS)}
    work.statements.add(build_update("orders", _ORDER_COLUMNS), {"rows": format_rows([row])})
    event = find_final_event(
        before,
        OrderStatus(order.status),
        is_release=released_at is not None,
        is_addition=is_addition,
    )
    if event is not None:
        work.build_repository(OrderRepository).defer_copies(order, event)
    notices = work.build_repository(CriticalResultRepository)
    if change is not None:
        notices.replace_results(
            order.id,
            progress.criticals,
            progress.shown_values,
            change.at,
            is_release=released_at is not None,
        )
    if released_at is not None:
        notices.open_notice(order.id, progress.criticals)
