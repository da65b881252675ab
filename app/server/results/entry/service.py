"""Builds what every family's result entry screen shows."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from app.contract.enumerations import SpecimenState
from app.server.access.schemas import Permission
from app.server.access.work import Work
from app.server.catalog.models import LabTest
from app.server.lab_settings.rules import is_verification_required
from app.server.orders.models import OrderTest
from app.server.orders.rules import judge_entering, judge_releasing
from app.server.orders.service.status import build_state
from app.server.results.entry import rules
from app.server.results.entry.errors import NotReleasable
from app.server.results.entry.loading import OrderEntry
from app.server.results.entry.models import Releasable
from app.server.results.entry.schemas import (
    EntryHold,
    EntryPatient,
    EntryWithholding,
    HoldRecord,
)


def build_header(work: Work, entry: OrderEntry) -> dict[str, Any]:
    """Build the values of ``EntryHeader`` from an order as loaded, or as it will be stored."""
    order, actor = entry.order, work.actor
    state = build_state(order)
    return {
        "order_id": order.id,
        "code_value": order.code,
        "version": order.version,
        "status": order.status,
        "client_name": entry.client_name,
        "collection_date": order.collection_date,
        "specimen_condition": order.specimen_condition,
        "awaits_collection": order.awaits_collection,
        "report_comment": order.report_comment,
        "reported": order.reported_at,
        "patient": EntryPatient(
            id=order.patient_id,
            code=entry.patient_code,
            last_name=order.patient_last_name,
            first_name=order.patient_first_name,
            middle_name=order.patient_middle_name,
            birth_date=order.patient_birth_date,
            gender=order.patient_gender,
        ),
        "hold_records": _build_hold_records(entry),
        "can_enter_results": Permission.of(judge_entering(actor, entry.flags, state)),
        "can_release": Permission.of(judge_releasing(actor, state)),
    }


def find_hold_reason(entry: OrderEntry, test_id: int) -> str | None:
    """Return why a test of the catalog is on hold, in the lab's words, or None."""
    hold = next((hold for hold in entry.holds if hold.test_id == test_id), None)
    if hold is None:
        return None
    reason = entry.hold_reasons.get(hold.reason, hold.reason)
    return f"{reason}, {hold.words}" if hold.words else reason


def find_obstacle(
    work: Work, entry: OrderEntry, row: OrderTest, entered_by: UUID | None
) -> str | None:
    """Return why the actor may not release the entered result of a test now, or None."""
    return rules.find_release_obstacle(
        rules.EnteredState(row.name, find_hold_reason(entry, row.test_id), entered_by),
        work.actor.user_id,
        needs_second_person=is_verification_required(entry.flags),
    )


def predates_specimen(
    entry: OrderEntry, row: OrderTest, test: LabTest, entered_at: datetime | None
) -> bool:
    """Whether an unreleased result was entered before the specimen of its test was received.

    ``entered_at`` is None without such a result. A specimen that must be collected again has its
    own mark.
    """
    if entered_at is None or row.awaits_collection:
        return False
    kind = test.container or "", test.specimen or ""
    tubes = [
        rules.Tube(tube.replaces_id is not None, tube.received_at)
        for tube in entry.tubes
        if (tube.container, tube.specimen) == kind and tube.state != SpecimenState.REJECTED
    ]
    return rules.predates_specimen(entered_at, tubes)


def require_releasable(obstacles: Sequence[str], *, is_chosen: bool, has_ready: bool) -> None:
    """Raise NotReleasable if a chosen result has an obstacle, or if no result is ready.

    Releasing all results skips those with an obstacle; the entry screen says which and why.
    """
    if obstacles and (is_chosen or not has_ready):
        raise NotReleasable(obstacles[0])


def build_holds(entry: OrderEntry, test_id: int) -> list[EntryHold]:
    """Build the holds that keep a test of the catalog from being released in this order."""
    return [
        EntryHold(
            id=hold.id,
            reason=entry.hold_reasons.get(hold.reason, hold.reason),
            words=hold.words,
            placed_by=entry.user_names.get(hold.placed_by),
            placed_at=hold.placed_at,
            every_order=hold.order_id is None,
        )
        for hold in entry.holds
        if hold.test_id == test_id
    ]


def _build_hold_records(entry: OrderEntry) -> list[HoldRecord]:
    names = {item.row.test_id: item.row.name for item in reversed(entry.tests)}
    holds = sorted([*entry.lifted_holds, *entry.holds], key=lambda hold: (hold.placed_at, hold.id))
    return [
        HoldRecord(
            id=hold.id,
            test=names[hold.test_id],
            reason=entry.hold_reasons.get(hold.reason, hold.reason),
            words=hold.words,
            every_order=hold.order_id is None,
            placed_by=entry.user_names.get(hold.placed_by),
            placed_at=hold.placed_at,
            lifted_by=entry.user_names.get(hold.lifted_by) if hold.lifted_by else None,
            lifted_at=hold.lifted_at,
            lifted_words=hold.lifted_words,
        )
        for hold in holds
    ]


def build_withholding(
    entry: OrderEntry, versions: Sequence[Releasable], reasons: Mapping[str, str]
) -> EntryWithholding | None:
    """Return why the newest released version is withheld, in the lab's words, or None.

    Only the lab sees the reason.
    """
    released_version = next(
        (version for version in reversed(versions) if version.released_at is not None), None
    )
    if (
        released_version is None
        or released_version.withheld is None
        or released_version.withheld_at is None
    ):
        return None
    if not entry.is_lab:
        return EntryWithholding(
            kind=released_version.withheld,
            reason=None,
            words=None,
            by=None,
            at=released_version.withheld_at,
        )
    reason, by = released_version.withheld_reason, released_version.withheld_by
    return EntryWithholding(
        kind=released_version.withheld,
        reason=reasons.get(reason, reason) if reason else None,
        words=released_version.withheld_words,
        by=entry.user_names.get(by) if by else None,
        at=released_version.withheld_at,
    )
