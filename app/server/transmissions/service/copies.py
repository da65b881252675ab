"""The job that sends final results to a requisition's additional recipients (DECISIONS)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID, uuid5

from app.basics.clock import to_lab_time
from app.contract.enumerations import CopyType, SendStatus
from app.server.access.parts import PortalParts
from app.server.access.work import Work
from app.server.jobs.queue import defer_task
from app.server.orders.models import Order
from app.server.orders.rules import FinalEvent
from app.server.paperwork.service.facts import load_lab
from app.server.requisitions.models import RequisitionCopy
from app.server.results.releases.repository import ReleaseRepository, WithheldVersion
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import RESULT_SUBJECTS, Subject
from app.server.transmissions.service import names
from app.server.transmissions.service.outcomes import SENDING
from app.server.transmissions.service.records import audit_transmission

_SECOND = timedelta(seconds=1)


async def send_copies(
    portal: PortalParts, order_id: int, event: str, user_id: str, key: str
) -> None:
    """Queue a transmission to each additional recipient, once for each ``key``.

    Without a mail server or fax provider they wait and fail like any other transmission, and the
    order shows them.
    """
    async with portal.database.transaction(SENDING) as transaction:
        work = Work(transaction, portal)
        repository = work.build_repository(TransmissionRepository)
        order = await repository.find_one(Order, order_id)
        assert order is not None
        lab = await load_lab(work)
        history = await _load_history(work, order, FinalEvent(event))
        for copy in await repository.list_copies(order):
            copy_key = uuid5(UUID(key), f"{copy.kind} {copy.destination}")
            subject = _choose_subject(FinalEvent(event), copy, history)
            if subject is None or await repository.is_key_used(copy_key):
                continue
            transmission = Transmission(
                key=copy_key,
                kind=CopyType(copy.kind),
                subject=subject,
                destination=copy.destination,
                status=SendStatus.QUEUED,
                requested_by=UUID(user_id),
                requested_by_name=lab.name,
            )
            await repository.create(transmission, [order.requisition_id])
            await defer_task(work, names.DELIVER, {"transmission_id": transmission.id})
            await audit_transmission(
                work, transmission, "send-copy", type=transmission.kind, event=event
            )


@dataclass(frozen=True)
class _Sending:
    """Results that a recipient got, may have got, or will get; times in the lab's time.

    Attributes:
        sent_at: when they were accepted, after their content was read; None if they were not.
        read_at: when the first content that the recipient may have got was read.
        is_waiting: whether their next attempt sends what is released then; False except after
            COMPLETED, the only event that needs it.
    """

    queued_at: datetime
    sent_at: datetime | None
    read_at: datetime
    is_waiting: bool


@dataclass
class _History:
    """What was sent of an order's results, by recipient, and how they changed."""

    reported_at: datetime | None
    corrected_at: datetime | None
    withheld_versions: Sequence[WithheldVersion]
    sendings: dict[tuple[str, str], list[_Sending]] = field(default_factory=dict)

    def list_sendings(self, copy: RequisitionCopy) -> list[_Sending]:
        """Return what the recipient of this copy got, or may have got."""
        return self.sendings.get((copy.kind, copy.destination.casefold()), [])

    def is_current(self, sending: _Sending) -> bool:
        """Whether what was sent, or will be, is all that is released now, and nothing else.

        A result of a canceled test may stay withheld, and must not be in what was sent. The time
        when a review ended is not stored, so what was sent since its beginning may lack the result.
        """
        if sending.is_waiting:
            return True
        sent_at = sending.sent_at
        if sent_at is None or (self.reported_at and sending.queued_at < self.reported_at):
            return False
        return all(
            sending.read_at >= version.at + _SECOND
            if version.kind is not None
            else sent_at < version.at
            for version in self.withheld_versions
        )

    def is_correction(self, sendings: Sequence[_Sending]) -> bool:
        """Whether the recipient may have results from before a correction, and nothing newer.

        A withdrawal counts as a correction.
        """
        times = [version.at for version in self.withheld_versions if version.kind is not None]
        changed_at = max((at for at in (self.corrected_at, *times) if at), default=None)
        if changed_at is None:
            return False
        # Times of results are whole seconds; what was sent in that second counts as earlier.
        end = changed_at + _SECOND
        return any(sending.read_at < end for sending in sendings) and not any(
            sending.sent_at is not None and sending.read_at >= end for sending in sendings
        )


async def _load_history(work: Work, order: Order, event: FinalEvent) -> _History:
    repository = work.build_repository(TransmissionRepository)
    releases = work.build_repository(ReleaseRepository)
    history = _History(
        order.reported_at,
        await releases.find_last_correction(order.id),
        await releases.list_withheld_versions(order.id),
    )
    zone = work.portal.settings.time_zone
    rows = await repository.list_by_requisitions([order.requisition_id], RESULT_SUBJECTS)
    arrivals = await repository.load_possible_arrivals([row.id for row in rows])
    for row in rows:
        if row.status == SendStatus.FAILED and row.id not in arrivals:
            continue
        # A fax that the provider gave up on was accepted before, so it has ``sent_at``, too.
        is_sent = row.status not in (SendStatus.FAILED, SendStatus.QUEUED)
        sending = _Sending(
            queued_at=to_lab_time(row.created_at, zone),
            sent_at=to_lab_time(row.sent_at, zone) if is_sent and row.sent_at else None,
            read_at=to_lab_time(arrivals.get(row.id, row.created_at), zone),
            is_waiting=event is FinalEvent.COMPLETED and await _is_waiting(repository, row),
        )
        key = (row.kind, row.destination.casefold())
        history.sendings.setdefault(key, []).append(sending)
    return history


async def _is_waiting(repository: TransmissionRepository, row: Transmission) -> bool:
    """Whether the next attempt will read what is released then, and no earlier one can arrive.

    The claim fails while an attempt is under way: its content may have been read before.
    """
    if row.status != SendStatus.QUEUED or await repository.list_uncertain(row.id):
        return False
    return await repository.claim(row.id)


def _choose_subject(event: FinalEvent, copy: RequisitionCopy, history: _History) -> Subject | None:
    """Return what the recipient is sent, or None if the recipient has the current results."""
    if event is FinalEvent.CORRECTED:
        return Subject.CORRECTED_RESULTS
    sendings = history.list_sendings(copy)
    if event is FinalEvent.COMPLETED and any(map(history.is_current, sendings)):
        return None
    # A result that was withdrawn from a final order may be released again, or its test canceled.
    return Subject.CORRECTED_RESULTS if history.is_correction(sendings) else Subject.RESULTS
