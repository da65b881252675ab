"""Changes the tubes of an order: later receptions, conditions, and rejections."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from app.basics.clock import get_lab_now, place_on_lab_clock
from app.basics.errors import BadInput, FieldError, require_allowed, require_no_errors
from app.basics.text import clean_text
from app.contract import messages
from app.contract.enumerations import ReasonKind, SpecimenState
from app.server.access.work import Work
from app.server.jobs.queue import Argument, defer_task
from app.server.lab_settings.repository import ReasonRepository
from app.server.lab_settings.rules import OTHER_REASON, validate_reason
from app.server.orders.models import Order
from app.server.orders.service.read import get_order
from app.server.orders.service.status import build_state, is_collection_awaited
from app.server.specimens import rules
from app.server.specimens.models import Specimen
from app.server.specimens.repository import SpecimenRepository
from app.server.specimens.schemas import SpecimensRead, SpecimensWrite, TubeWrite
from app.server.specimens.service import names
from app.server.specimens.service.describe import (
    ReasonNames,
    TubeKind,
    build_tubes,
    find_needed_kinds,
)
from app.server.specimens.service.read import build_specimens

_KINDS = (ReasonKind.CONDITION, ReasonKind.REJECTION)


async def change_specimens(work: Work, order_id: int, body: SpecimensWrite) -> SpecimensRead:
    """Receive, reject, and describe tubes of an order.

    A rejected tube is replaced by an expected one, and the client gets an e-mail if a test still
    needs it. Receiving that tube ends the request for a new collection.

    Raises:
        Forbidden, NotFound, StaleVersion.
        OrderReadOnly: the order is canceled.
        BadInput: a tube, condition, reason or collection site is unknown, or words are missing.
    """
    order = await get_order(work, order_id, lock=True)
    require_allowed(rules.judge_receiving_specimens(work.actor, build_state(order)))
    work.require_version(order)
    if "entry_alert" in body.model_fields_set:
        order.entry_alert = clean_text(body.entry_alert)
    if body.collection_site:
        site = await validate_site(work, body.collection_site)
        order.collection_sites = list(dict.fromkeys([*order.collection_sites, site]))
    await change_tubes(work, order, body.tubes)
    order.version += 1
    await work.build_repository(SpecimenRepository).flush()
    return await build_specimens(work, order)


async def validate_site(work: Work, name: str) -> str:
    """Return the collection site of this name, or raise BadInput if the lab's list has none."""
    sites = await work.build_repository(ReasonRepository).list_collection_sites()
    for site in sites:
        if site.name.casefold() == name.strip().casefold():
            return site.name
    raise BadInput.of(FieldError("collectionSite", messages.COLLECTION_SITE_UNKNOWN))


@dataclass(frozen=True)
class _Change:
    """A change to the tubes of one order: who makes it, when, and the lab's words."""

    work: Work
    order: Order
    reason_names: ReasonNames
    now: datetime


async def change_tubes(work: Work, order: Order, writes: Sequence[TubeWrite]) -> list[Specimen]:
    """Apply what happened to tubes of a locked order, and return its tubes, or raise BadInput."""
    repository = work.build_repository(SpecimenRepository)
    tubes = await repository.list_tubes(order.id)
    reasons = work.build_repository(ReasonRepository)
    reason_names, ended_codes = await reasons.load_names_and_ended(*_KINDS)
    change = _Change(work, order, reason_names, get_lab_now(work.portal.settings.time_zone))
    current = {tube.number: tube for tube in tubes if tube.state != SpecimenState.REJECTED}
    errors = _validate_writes(writes, current, reason_names, ended_codes)
    require_no_errors(errors + _find_impossible_collections(change, writes))
    rejected_tubes = []
    for write in writes:
        tube = current[write.number]
        if write.state is SpecimenState.REJECTED:
            tubes.append(await _reject_tube(change, tube, write))
            rejected_tubes.append(tube)
        else:
            _update_tube(change, tube, write)
    needed_kinds = await _mark_order(change, tubes)
    if writes:
        detail = {"tubes": len(writes), "rejected": [tube.reason for tube in rejected_tubes]}
        await work.audit("receive-specimens", "order", [order.id], detail)
    if any((tube.container, tube.specimen) in needed_kinds for tube in rejected_tubes):
        user_id, key = str(work.actor.user_id), str(uuid4())
        arguments: dict[str, Argument] = {"order_id": order.id, "user_id": user_id, "key": key}
        await defer_task(work, names.NOTIFY_CLIENT, arguments)
    return sorted(tubes, key=lambda tube: (tube.number, tube.id))


def _validate_writes(
    writes: Sequence[TubeWrite],
    tubes: dict[int, Specimen],
    reason_names: ReasonNames,
    ended_codes: Mapping[ReasonKind, set[str]],
) -> list[FieldError]:
    errors = []
    numbers: set[int] = set()
    for i, write in enumerate(writes):
        field = f"tubes.{i}"
        if write.number not in tubes or write.number in numbers:
            errors.append(FieldError(f"{field}.number", messages.TUBE_UNKNOWN))
        numbers.add(write.number)
        if write.state is SpecimenState.REJECTED:
            errors += validate_reason(
                write.reason,
                write.reason_words,
                reason_names[ReasonKind.REJECTION],
                f"{field}.reason",
                f"{field}.reasonWords",
                ended_codes=ended_codes[ReasonKind.REJECTION],
            )
        tube = tubes.get(write.number)
        new_conditions = set(write.conditions).difference(tube.conditions if tube else ())
        if set(write.conditions) - reason_names[ReasonKind.CONDITION].keys():
            errors.append(FieldError(f"{field}.conditions", messages.CONDITION_UNKNOWN))
        elif new_conditions & ended_codes[ReasonKind.CONDITION]:
            errors.append(FieldError(f"{field}.conditions", messages.CONDITION_ENDED))
        if OTHER_REASON in write.conditions and clean_text(write.condition_words) is None:
            errors.append(FieldError(f"{field}.conditionWords", messages.REASON_NEEDS_WORDS))
    return errors


def _find_impossible_collections(change: _Change, writes: Sequence[TubeWrite]) -> list[FieldError]:
    """Find collection times in the future, or before the patient's birth."""
    errors = []
    birth_date = change.order.patient_birth_date
    for i, write in enumerate(writes):
        if write.collected_at is None:
            continue
        time = _convert_to_lab_time(change.work, write.collected_at)
        field = f"tubes.{i}.collectedAt"
        if time > change.now:
            errors.append(FieldError(field, messages.TUBE_COLLECTION_IN_FUTURE))
        elif birth_date is not None and time.date() < birth_date:
            errors.append(FieldError(field, messages.TUBE_COLLECTION_BEFORE_BIRTH))
    return errors


async def _reject_tube(change: _Change, tube: Specimen, write: TubeWrite) -> Specimen:
    """Reject a tube, and return the one that is expected in its place."""
    _set_condition(tube, write)
    tube.state = SpecimenState.REJECTED
    tube.reason, tube.reason_words = write.reason, clean_text(write.reason_words)
    tube.rejected_at, tube.rejected_by = change.now, change.work.actor.user_id
    repository = change.work.build_repository(SpecimenRepository)
    # Written first, because two tubes that are not rejected cannot have the same number.
    await repository.flush()
    replacement = Specimen(
        order_id=tube.order_id,
        number=tube.number,
        container=tube.container,
        specimen=tube.specimen,
        state=SpecimenState.EXPECTED,
        conditions=[],
        replaces_id=tube.id,
    )
    await repository.insert(replacement)
    return replacement


def _update_tube(change: _Change, tube: Specimen, write: TubeWrite) -> None:
    """Receive a tube or expect it again, and set its condition."""
    if write.state is SpecimenState.EXPECTED:
        tube.received_at = tube.received_by = tube.collected_at = None
    elif tube.state != SpecimenState.RECEIVED:
        tube.received_at, tube.received_by = change.now, change.work.actor.user_id
    tube.state = write.state
    _set_condition(tube, write)
    if tube.replaces_id is not None and write.collected_at is not None:
        tube.collected_at = _convert_to_lab_time(change.work, write.collected_at)


def _convert_to_lab_time(work: Work, instant: datetime) -> datetime:
    return place_on_lab_clock(instant, work.portal.settings.time_zone)


def _set_condition(tube: Specimen, write: TubeWrite) -> None:
    tube.conditions = list(dict.fromkeys(write.conditions))
    tube.condition_words = clean_text(write.condition_words)


async def follow_cancellations(work: Work, order: Order) -> None:
    """Update what a locked order says about rejected tubes.

    Called after tests of the order were canceled or reinstated.
    """
    repository = work.build_repository(SpecimenRepository)
    tubes = await repository.list_tubes(order.id)
    if not any(tube.state == SpecimenState.REJECTED for tube in tubes):
        return
    reason_names = await work.build_repository(ReasonRepository).load_names(*_KINDS)
    needed_kinds = find_needed_kinds(await repository.list_tests(order.id))
    described_tubes = build_tubes(tubes, reason_names, needed_kinds)
    order.specimen_condition = rules.describe_condition(described_tubes)
    await repository.flush()


async def _mark_order(change: _Change, tubes: Sequence[Specimen]) -> set[TubeKind]:
    """Store what the tubes mean for the order and its tests; return the tubes that tests need."""
    repository = change.work.build_repository(SpecimenRepository)
    tests = await repository.list_tests(change.order.id)
    needed_kinds = find_needed_kinds(tests)
    described_tubes = build_tubes(tubes, change.reason_names, needed_kinds)
    awaited_kinds = rules.find_awaited_containers(described_tubes)
    for test, container, specimen in tests:
        test.awaits_collection = (container, specimen) in awaited_kinds
    change.order.awaits_collection = is_collection_awaited(test for test, _, _ in tests)
    change.order.specimen_condition = rules.describe_condition(described_tubes)
    return needed_kinds
