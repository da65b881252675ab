"""The work that waits for each role, and the searches that show it."""

from datetime import date

import pytest

from app.contract.enumerations import CriticalStatus, OrderStatus, RequisitionStatus, Role
from app.server.actor import Actor, get_scope_kind
from app.server.waiting.rules import WaitingKind, WaitingSearch, list_searches

TODAY = date(2026, 6, 15)
PENDING = str(int(RequisitionStatus.PENDING))
ALL = str(int(OrderStatus.ALL))
CAME_IN = str(int(OrderStatus.PENDING | OrderStatus.UNRELEASED))
CRITICAL = ("critical", "criticalResults", {"status": str(int(CriticalStatus.OPEN))})
_LAST_QUARTER = {"startDate": "2026-03-17", "endDate": "2026-06-15"}
ALERTS = (
    "alerts",
    "orders",
    {"status": ALL, **_LAST_QUARTER, "alertResults": "true", "unread": "true"},
)
PHYSICIAN_ALERTS = (
    "alerts",
    "orders",
    {"status": ALL, **_LAST_QUARTER, "alertResults": "true", "unreadByPhysician": "true"},
)
TO_SIGN = (
    "toSign",
    "requisitions",
    {
        "status": PENDING,
        "startDate": "2026-03-17",
        "endDate": "2026-07-15",
        "signature": "notSigned",
    },
)
TO_COLLECT = (
    "toCollect",
    "requisitions",
    {"status": PENDING, "startDate": "2026-06-15", "endDate": "2026-06-15"},
)
TO_RECOLLECT = (
    "toRecollect",
    "orders",
    {"status": ALL, **_LAST_QUARTER, "awaitsCollection": "true"},
)
_FORTNIGHT = {"startDate": "2026-06-01", "endDate": "2026-06-15"}
TO_RECEIVE = ("toReceive", "requisitions", {"status": PENDING, **_FORTNIGHT})
AT_LAB = ("cameIn", "orders", {"status": CAME_IN, **_FORTNIGHT})
CLINIC = [CRITICAL, ALERTS, TO_SIGN, TO_COLLECT, TO_RECOLLECT]
LAB = [CRITICAL, TO_RECEIVE, AT_LAB]


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        (Role.CLIENT_ADMIN, CLINIC),
        (Role.CLIENT_BASIC, CLINIC),
        (Role.PHYSICIAN, [CRITICAL, PHYSICIAN_ALERTS, TO_SIGN]),
        (Role.LABORATORY, LAB),
        (Role.SUPERUSER, LAB),
        (Role.PATIENT, []),
    ],
)
def test_lists_the_searches_of_a_role(role: Role, expected: list) -> None:
    searches = list_searches(Actor(get_scope_kind(role), role=role, ids=(1,)), TODAY)
    assert [
        (search.kind, search.searched, dict(search.build_filters())) for search in searches
    ] == expected


@pytest.mark.parametrize("dates", [(None, None), (TODAY, None), (None, TODAY)])
def test_ignores_a_period_without_both_dates(dates: tuple[date | None, date | None]) -> None:
    search = WaitingSearch(WaitingKind.TO_SIGN, "requisitions", *dates, status=1)
    assert search.build_filters() == [("status", "1")]
