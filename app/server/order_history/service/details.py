"""The order with its history as PDF (R 7; DECISIONS, 'order/details')."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from app.basics.clock import get_lab_now, to_lab_time
from app.contract.enumerations import (
    LABELS,
    BillTo,
    CopyType,
    OrderStatus,
    Reopening,
    ResultStatus,
    ScopeKind,
    SendStatus,
)
from app.drawing.pages import HistoryLine, Lab, OrderDetailsPage, OrderDetailsPdf
from app.server.access.work import Work
from app.server.order_history.repository import HoldOfTest, OrderHistoryRepository
from app.server.orders.models import Order, OrderTest
from app.server.orders.repository import OrderRepository
from app.server.orders.service.read import load_additions, load_cancellations
from app.server.paperwork.service.corrections import format_withheld
from app.server.paperwork.service.facts import Facts, load_lab
from app.server.paperwork.service.order_results import get_orders
from app.server.paperwork.service.report import ReportContext, ReportSteps, render_batches
from app.server.requisitions.models import Requisition
from app.server.requisitions.rules import deduplicate_ids
from app.server.results.releases.repository import Release, ReleaseRepository
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import RESULT_SUBJECTS, Subject, name_requester

_CHANNELS = {CopyType.EMAIL: "e-mail", CopyType.FAX: "fax"}
_PARTS = {
    "orderingPhysician": "ordering physician",
    "birthDate": "birth date",
    "insuranceInformation": "insurance information",
    "responsibleParties": "responsible parties",
    "billTo": "bill to",
}

_AFTERWARDS: Mapping[str | None, str] = {
    None: "Results changed at the same time",
    Reopening.RELEASE: "Results were released afterwards",
    Reopening.REVIEW: "A result was put under review afterwards",
    Reopening.WITHDRAWN: "A result was withdrawn afterwards",
    Reopening.RESTORED: "The review of a result ended afterwards",
    Reopening.VERDICT: "A toxicology verdict changed afterwards",
    Reopening.COMMENT: "The comment on the order changed afterwards",
}
_FIRST_STEPS = {"Ordered": 0, "Received": 1}
"""The order of the steps that come before all others of the same second."""


@dataclass
class _Events:
    """The events of a batch of orders, by order id, and the names of users."""

    names: Mapping[UUID, str] = field(default_factory=dict)
    lines: dict[int, list[HistoryLine]] = field(default_factory=lambda: defaultdict(list))

    def find_name(self, user_id: UUID | None) -> str:
        """Return the name of a user; empty unless the actor may see it."""
        return self.names.get(user_id, "") if user_id else ""

    def add(self, order_id: int, at: datetime, event: str, person: str, detail: str = "") -> None:
        """Add an event of an order."""
        self.lines[order_id].append(HistoryLine(at, event, person, detail))


def render_order_details(context: ReportContext, ids: list[int]) -> ReportSteps:
    """Render one PDF of these orders with their history, or raise NotFound."""
    unique_ids = deduplicate_ids(ids)
    title = "Order" if len(unique_ids) == 1 else "Orders"
    return render_batches(
        context,
        OrderDetailsPdf,
        title,
        unique_ids,
        _build_pages,
        lambda work, _: work.audit("print", "order", unique_ids, {"report": "details"}),
    )


async def _build_pages(work: Work, ids: Sequence[int]) -> list[OrderDetailsPage]:
    orders = await get_orders(work, ids)
    repository = work.build_repository(OrderRepository)
    requisitions = await repository.load_in_scope(Requisition, [o.requisition_id for o in orders])
    facts = Facts(work)
    await facts.load(orders)
    events = await _load_events(work, orders, requisitions)
    lab, printed_at = await load_lab(work), get_lab_now(work.portal.settings.time_zone)
    tests = await repository.load_tests([order.id for order in orders])
    return [
        _build_page(
            order,
            requisitions.get(order.requisition_id),
            tests.get(order.id, ()),
            facts,
            events,
            lab,
            printed_at,
            sees_entries=work.actor.kind is ScopeKind.STAFF,
        )
        for order in orders
    ]


def _build_page(
    order: Order,
    requisition: Requisition | None,
    tests: Sequence[OrderTest],
    facts: Facts,
    events: _Events,
    lab: Lab,
    printed_at: datetime,
    *,
    sees_entries: bool,
) -> OrderDetailsPage:
    return OrderDetailsPage(
        lab=lab,
        code=order.code,
        requisition_code=requisition.code if requisition else "",
        status=LABELS[OrderStatus][OrderStatus(order.status)],
        printed=printed_at,
        patient=facts.build_patient(order),
        client=facts.build_client(order.client_id),
        physician=facts.build_physician(order.physician_id),
        collected=order.collection_date,
        received=order.received_at,
        reported=order.reported_at,
        bill_to=LABELS[BillTo][BillTo(requisition.bill_to)] if requisition else "",
        tests=tuple(
            (test.name, _describe_status(test, sees_entries=sees_entries), test.level)
            for test in tests
        ),
        history=tuple(sorted(events.lines[order.id], key=_build_sort_key)),
    )


def _describe_status(test: OrderTest, *, sees_entries: bool) -> str:
    """Describe the status as the order page does: an entered result is pending to clients."""
    if test.is_panel:
        return ""
    status = ResultStatus(test.status)
    if status is ResultStatus.UNRELEASED:
        withheld = format_withheld(test.withheld, test.withheld_at)
        if withheld is not None:
            return withheld
        if not sees_entries:
            return ResultStatus.PENDING.name
    return status.name


def _build_sort_key(line: HistoryLine) -> tuple[datetime, int]:
    """Build the sort key of an event, in whole seconds, since some times have no fractions."""
    return line.at.replace(microsecond=0), _FIRST_STEPS.get(line.event, len(_FIRST_STEPS))


async def _load_events(
    work: Work, orders: Sequence[Order], requisitions: Mapping[int, Requisition]
) -> _Events:
    """Load the events of these orders; patients see the names of signers only."""
    ids, zone = [order.id for order in orders], work.portal.settings.time_zone
    releases = await work.build_repository(ReleaseRepository).list_releases(ids)
    events = _Events()
    if work.actor.sees_user_names:
        users = [
            *(order.received_by for order in orders),
            *(requisition.created_by for requisition in requisitions.values()),
            *(release.released_by for release in releases),
        ]
        events.names = await work.build_repository(OrderHistoryRepository).load_user_names(users)
    cancellations = await load_cancellations(work, ids)
    for order_id, additions in (await load_additions(work, ids)).items():
        for addition in additions:
            detail = f"{addition.name}: {addition.because}"
            events.add(order_id, addition.added_at, "Test added", addition.added_by or "", detail)
    for order in orders:
        events.add(order.id, order.received_at, "Received", events.find_name(order.received_by))
        requisition = requisitions.get(order.requisition_id)
        if requisition is not None:
            at = to_lab_time(requisition.created_at, zone)
            person = events.find_name(requisition.created_by)
            events.add(order.id, at, "Ordered", person, requisition.code)
        for cancellation in cancellations.get(order.id, ()):
            why = ", ".join(part for part in (cancellation.name, cancellation.words) if part)
            detail = f"{', '.join(cancellation.tests)}: {why}"
            person = cancellation.canceled_by or ""
            events.add(order.id, cancellation.canceled_at, "Tests canceled", person, detail)
    for hold in await work.build_repository(OrderHistoryRepository).list_holds(ids):
        _add_hold(events, hold)
    _add_releases(events, releases, names_people=work.actor.sees_user_names)
    await _add_acts(work, events, orders)
    await _add_transmissions(work, events, orders)
    return events


def _add_hold(events: _Events, hold: HoldOfTest) -> None:
    why = ", ".join(part for part in (hold.reason, hold.words) if part)
    extent = " (in every order)" if hold.is_everywhere else ""
    detail = f"{hold.test}{extent}: {why}"
    events.add(hold.order_id, hold.placed_at, "Test on hold", hold.placed_by or "", detail)
    if hold.lifted_at is not None:
        detail = ": ".join(part for part in (f"{hold.test}{extent}", hold.lifted_words) if part)
        events.add(hold.order_id, hold.lifted_at, "Hold lifted", hold.lifted_by or "", detail)


def _add_releases(events: _Events, releases: Sequence[Release], *, names_people: bool) -> None:
    """Add one event for each release of an order, and one for each corrected test."""
    tests_by_release: dict[tuple[int, datetime, str], list[str]] = {}
    for release in releases:
        person = ""
        if names_people:
            person = release.released_by_name or events.find_name(release.released_by)
        if release.is_correction:
            detail = f"{release.test}: {release.reason or 'no reason stated'}"
            events.add(release.order_id, release.released_at, "Result corrected", person, detail)
        else:
            key = (release.order_id, release.released_at, person)
            tests_by_release.setdefault(key, []).append(release.test)
    for (order_id, at, person), tests in tests_by_release.items():
        events.add(order_id, at, "Results released", person, ", ".join(dict.fromkeys(tests)))


async def _add_acts(work: Work, events: _Events, orders: Sequence[Order]) -> None:
    history, zone = work.build_repository(OrderHistoryRepository), work.portal.settings.time_zone
    ids = [order.id for order in orders]
    order_ids = {order.requisition_id: order.id for order in orders}
    for signature in await history.list_signatures(order_ids):
        order_id, name = order_ids[signature.requisition_id], signature.user_name
        events.add(order_id, signature.signed_at, "Signed", name)
        if signature.removed_at is not None:
            events.add(order_id, to_lab_time(signature.removed_at, zone), "Unsigned", name)
    for row in await history.list_acknowledgments(ids):
        detail = _AFTERWARDS[row.reopened_by] if row.reopened_at else ""
        events.add(row.order_id, row.acknowledged_at, "Acknowledged", row.user_name, detail)
    await _add_comments(work, events, orders)
    for completion in await history.list_completions(ids):
        detail = ", ".join(_PARTS.get(part, part) for part in completion.parts)
        person = completion.user_name
        events.add(
            completion.order_id, completion.completed_at, "Information changed", person, detail
        )


async def _add_comments(work: Work, events: _Events, orders: Sequence[Order]) -> None:
    """Add each version of the comments for the lab; for others the last change after a release."""
    if work.actor.kind is ScopeKind.STAFF:
        history = work.build_repository(OrderHistoryRepository)
        for row in await history.list_comments([order.id for order in orders]):
            event = "Comment written" if row.comment else "Comment removed"
            events.add(row.order_id, row.written_at, event, row.user_name, row.comment or "")
        return
    for order in orders:
        if order.comment_changed_at is not None:
            person = (order.comment_changed_by or "") if work.actor.sees_user_names else ""
            events.add(order.id, order.comment_changed_at, "Comment changed", person)


async def _add_transmissions(work: Work, events: _Events, orders: Sequence[Order]) -> None:
    repository, zone = work.build_repository(TransmissionRepository), work.portal.settings.time_zone
    order_ids = {order.requisition_id: order.id for order in orders}
    rows = await repository.list_by_requisitions(order_ids, RESULT_SUBJECTS)
    requisition_ids = await repository.load_requisition_ids([row.id for row in rows])
    for row in rows:
        for requisition_id in requisition_ids[row.id]:
            if requisition_id in order_ids:
                events.add(
                    order_ids[requisition_id],
                    to_lab_time(row.created_at, zone),
                    _name_transmission(row),
                    name_requester(work.actor, row.requested_by, row.requested_by_name),
                    _describe_transmission(row),
                )


def _name_transmission(row: Transmission) -> str:
    mark = " (corrected results)" if row.subject == Subject.CORRECTED_RESULTS else ""
    return f"Sent by {_CHANNELS[CopyType(row.kind)]}{mark}"


def _describe_transmission(row: Transmission) -> str:
    return f"{row.destination}: {LABELS[SendStatus][SendStatus(row.status)]}"
