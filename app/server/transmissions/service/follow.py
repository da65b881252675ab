"""The job that follows the progress of an accepted fax."""

from datetime import timedelta

import structlog

from app.basics.clock import get_utc_now
from app.contract.enumerations import SendStatus
from app.server.access.parts import PortalParts
from app.server.access.work import Work
from app.server.jobs.queue import defer_task
from app.server.logs import describe_error
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import FAX_SENDS_MAX, Trouble
from app.server.transmissions.senders.choose import Senders
from app.server.transmissions.senders.port import Progress, Sender
from app.server.transmissions.service import names
from app.server.transmissions.service.outcomes import SENDING, build_retry_policy, postpone
from app.server.transmissions.service.records import audit_transmission

_FAST_POLL_PERIOD = timedelta(minutes=10)
_SLOW_POLL = timedelta(minutes=5)
_log = structlog.get_logger("portal.sending")


async def follow_transmission(portal: PortalParts, transmission_id: int) -> None:
    """Read the progress once, and schedule the next read while the fax is in progress."""
    async with portal.database.transaction(SENDING) as transaction:
        repository = transaction.build_repository(TransmissionRepository)
        transmission = await repository.lock(transmission_id)
    if transmission.status != SendStatus.SENDING or transmission.reference is None:
        return
    sender = portal.get_part(Senders).find(transmission.kind)
    # After the lab has changed its sender, the progress is unknown.
    is_same_sender = sender is not None and sender.name == transmission.sender
    progress = None
    if sender and is_same_sender:
        progress = await _get_progress(sender, transmission_id, transmission.reference)
    async with portal.database.transaction(SENDING) as transaction:
        repository = transaction.build_repository(TransmissionRepository)
        current = await repository.lock(transmission_id)
        if (current.status, current.reference) == (SendStatus.SENDING, transmission.reference):
            await _apply_progress(Work(transaction, portal), current, progress)


async def _get_progress(sender: Sender, transmission_id: int, reference: str) -> Progress | None:
    """Return the progress, or None after an unexpected error, so that it is read again."""
    try:
        return await sender.get_progress(reference)
    except Exception as error:
        _log.warning("progress unknown", transmission=transmission_id, **describe_error(error))
        return None


async def _apply_progress(
    work: Work, transmission: Transmission, progress: Progress | None
) -> None:
    now = get_utc_now()
    if progress is None or progress.status == SendStatus.SENDING:
        await _schedule_follow(work, transmission)
        return
    if progress.status == SendStatus.DELIVERED:
        transmission.status = SendStatus.DELIVERED
        transmission.trouble = None
        transmission.delivered_at = now
        await _audit_progress(work, transmission)
        return
    repository = work.build_repository(TransmissionRepository)
    if progress.is_unknown:
        await repository.reopen_accepted(transmission)
    transmission.reference = None
    transmission.trouble = progress.trouble
    accepted_count = await repository.count_accepted(transmission.id)
    if progress.is_final or accepted_count >= FAX_SENDS_MAX:
        transmission.status = SendStatus.FAILED
    else:
        await postpone(work, transmission, progress.trouble)
    await _audit_progress(work, transmission)


async def _schedule_follow(work: Work, transmission: Transmission) -> None:
    assert transmission.sent_at is not None
    age = get_utc_now() - transmission.sent_at
    if age > build_retry_policy(work.portal.settings).give_up_after:
        transmission.status = SendStatus.FAILED
        transmission.trouble = Trouble.FAX_LOST
        await _audit_progress(work, transmission)
        return
    poll = timedelta(seconds=work.portal.settings.fax_poll_seconds)
    due_at = get_utc_now() + (poll if age < _FAST_POLL_PERIOD else max(poll, _SLOW_POLL))
    await defer_task(work, names.FOLLOW, {"transmission_id": transmission.id}, due_at=due_at)


async def _audit_progress(work: Work, transmission: Transmission) -> None:
    await audit_transmission(work, transmission, "follow", status=transmission.status)
