"""The job that sends final results to a requisition's additional recipients (DECISIONS)."""

from datetime import datetime
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
from app.server.results.releases.repository import ReleaseRepository
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import RESULT_SUBJECTS, Subject
from app.server.transmissions.service import names
from app.server.transmissions.service.outcomes import SENDING
from app.server.transmissions.service.records import audit_transmission


async def send_copies(
    portal: PortalParts, order_id: int, event: str, user_id: str, key: str
) -> None:
    """Queue a transmission to each additional recipient, once for each ``key``.

    Without a mail server or fax provider they wait and fail like any other transmission, and the
    order shows them.
    """
    async with portal.database.transaction(SENDING) as session:
        work = Work(SENDING, session, portal)
        repository = work.build_repository(TransmissionRepository)
        order = await repository.find_one(Order, order_id)
        assert order is not None
        lab = await load_lab(work)
        history = await _load_history(work, order)
        for copy in await repository.list_copies(order):
            copy_key = uuid5(UUID(key), f"{copy.kind} {copy.destination}")
            subject = _choose_subject(FinalEvent(event), order, copy, history)
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
            await defer_task(session, names.DELIVER, {"transmission_id": transmission.id})
            await audit_transmission(
                work, transmission, "send-copy", type=transmission.kind, event=event
            )


class _History:
    """The times when an order's results were sent, by recipient, and of its last correction."""

    def __init__(self, corrected_at: datetime | None) -> None:
        self.corrected_at = corrected_at
        self.sent_times: dict[tuple[str, str], datetime] = {}

    def find_last_sending(self, copy: RequisitionCopy) -> datetime | None:
        """Return when the recipient was last sent results, in the lab's time, or None."""
        return self.sent_times.get((copy.kind, copy.destination.casefold()))


async def _load_history(work: Work, order: Order) -> _History:
    repository = work.build_repository(TransmissionRepository)
    history = _History(
        await work.build_repository(ReleaseRepository).find_last_correction(order.id)
    )
    zone = work.portal.settings.time_zone
    for row in reversed(
        await repository.list_by_requisitions([order.requisition_id], RESULT_SUBJECTS)
    ):
        history.sent_times[row.kind, row.destination.casefold()] = to_lab_time(row.created_at, zone)
    return history


def _choose_subject(
    event: FinalEvent, order: Order, copy: RequisitionCopy, history: _History
) -> Subject | None:
    """Return what the recipient is sent, or None if the recipient has the current results."""
    if event is FinalEvent.CORRECTED:
        return Subject.CORRECTED_RESULTS
    sent_at, corrected_at = history.find_last_sending(copy), history.corrected_at
    if sent_at is None:
        return Subject.RESULTS
    if event is FinalEvent.COMPLETED and order.reported_at and sent_at >= order.reported_at:
        return None
    # A result that was withdrawn from a final order and released again reopens the order.
    is_correction = corrected_at is not None and sent_at <= corrected_at
    return Subject.CORRECTED_RESULTS if is_correction else Subject.RESULTS
