"""Rules about the work that waits for each person (ADR 28)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from app.basics.errors import PortalError
from app.contract import limits
from app.contract.enumerations import (
    CriticalStatus,
    OrderStatus,
    RequisitionStatus,
    Role,
    SignatureFilter,
)
from app.server.access.policy import CLIENT_STAFF, LAB_STAFF, judge_role
from app.server.actor import Actor
from app.server.critical_results.rules import judge_reading

_SIGNERS = CLIENT_STAFF | {Role.PHYSICIAN}


class WaitingKind(StrEnum):
    """The kinds of work that wait for people."""

    CRITICAL = "critical"
    ALERTS = "alerts"
    TO_SIGN = "toSign"
    TO_COLLECT = "toCollect"
    TO_RECOLLECT = "toRecollect"
    TO_RECEIVE = "toReceive"
    CAME_IN = "cameIn"


class SearchedList(StrEnum):
    """The search that shows the waiting work."""

    REQUISITIONS = "requisitions"
    ORDERS = "orders"
    CRITICAL_RESULTS = "criticalResults"


@dataclass(frozen=True)
class WaitingSearch:
    """A search that finds waiting work: its list, and the list's filters.

    A search without dates finds rows of any age.
    """

    kind: WaitingKind
    searched: SearchedList
    start_date: date | None
    end_date: date | None
    status: int
    signature: SignatureFilter | None = None
    awaits_collection: bool | None = None
    alert_results: bool | None = None
    unread: bool | None = None
    unread_by_physician: bool | None = None

    def build_filters(self) -> list[tuple[str, str]]:
        """Return the names and values of the list's filters."""
        filters = [("status", str(self.status))]
        if self.start_date and self.end_date:
            filters.append(("startDate", self.start_date.isoformat()))
            filters.append(("endDate", self.end_date.isoformat()))
        if self.signature:
            filters.append(("signature", self.signature))
        flags = (
            ("awaitsCollection", self.awaits_collection),
            ("alertResults", self.alert_results),
            ("unread", self.unread),
            ("unreadByPhysician", self.unread_by_physician),
        )
        return filters + [(name, "true") for name, is_set in flags if is_set]


def judge_alerts(actor: Actor) -> PortalError | None:
    """Return why the actor has no count of unread alert results, or None."""
    return judge_role(actor, _SIGNERS)


def judge_to_sign(actor: Actor) -> PortalError | None:
    """Return why the actor has no count of requisitions to sign, or None."""
    return judge_role(actor, _SIGNERS)


def judge_to_collect(actor: Actor) -> PortalError | None:
    """Return why the actor has no count of specimens to collect, or None."""
    return judge_role(actor, CLIENT_STAFF)


def judge_at_lab(actor: Actor) -> PortalError | None:
    """Return why the actor has no counts of specimens to receive and of received ones, or None."""
    return judge_role(actor, LAB_STAFF)


def list_searches(actor: Actor, today: date) -> list[WaitingSearch]:
    """List the searches for work that waits for the actor; ``today`` is the lab's day."""
    requisitions, orders = SearchedList.REQUISITIONS, SearchedList.ORDERS
    pending_status = int(RequisitionStatus.PENDING)
    is_physician = actor.role is Role.PHYSICIAN
    at_lab_from = today - timedelta(limits.WAITING_AT_LAB_DAYS)
    rules: Iterable[tuple[Callable[[Actor], PortalError | None], WaitingSearch]] = (
        (
            judge_reading,
            WaitingSearch(
                WaitingKind.CRITICAL,
                SearchedList.CRITICAL_RESULTS,
                None,
                None,
                int(CriticalStatus.OPEN),
            ),
        ),
        (
            judge_alerts,
            WaitingSearch(
                WaitingKind.ALERTS,
                orders,
                today - timedelta(limits.WAITING_ALERTS_DAYS),
                today,
                int(OrderStatus.ALL),
                alert_results=True,
                unread=None if is_physician else True,
                unread_by_physician=True if is_physician else None,
            ),
        ),
        (
            judge_to_sign,
            WaitingSearch(
                WaitingKind.TO_SIGN,
                requisitions,
                today - timedelta(limits.WAITING_TO_SIGN_DAYS),
                today + timedelta(limits.WAITING_TO_SIGN_DAYS_AHEAD),
                pending_status,
                SignatureFilter.NOT_SIGNED,
            ),
        ),
        (
            judge_to_collect,
            WaitingSearch(WaitingKind.TO_COLLECT, requisitions, today, today, pending_status),
        ),
        (
            judge_to_collect,
            WaitingSearch(
                WaitingKind.TO_RECOLLECT,
                orders,
                today - timedelta(limits.WAITING_TO_RECOLLECT_DAYS),
                today,
                int(OrderStatus.ALL),
                awaits_collection=True,
            ),
        ),
        (
            judge_at_lab,
            WaitingSearch(WaitingKind.TO_RECEIVE, requisitions, at_lab_from, today, pending_status),
        ),
        (
            judge_at_lab,
            WaitingSearch(
                WaitingKind.CAME_IN,
                orders,
                at_lab_from,
                today,
                OrderStatus.PENDING | OrderStatus.UNRELEASED,
            ),
        ),
    )
    return [search for judge, search in rules if judge(actor) is None]
