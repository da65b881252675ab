"""The worker's part: what has become of a fax that the provider took."""

from datetime import timedelta

from app.basics.clock import utc_now
from app.contract.enumerations import SendStatus
from app.server.access.parts import Parts
from app.server.access.work import Work
from app.server.jobs.queue import defer
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import FAX_ROUNDS, Trouble
from app.server.transmissions.senders.choose import Senders
from app.server.transmissions.senders.port import Progress
from app.server.transmissions.service import names
from app.server.transmissions.service.settle import SENDING, patience, put_off

_SOON = timedelta(minutes=10)
_SLOWLY = timedelta(minutes=5)


async def follow(portal: Parts, transmission_id: int) -> None:
    """Ask once; ask again later while it is under way."""
    async with portal.database.transaction(SENDING) as session:
        transmission = await TransmissionRepository(session, SENDING).transmission(transmission_id)
    if transmission.status != SendStatus.SENDING or transmission.reference is None:
        return
    sender = portal.part(Senders).of(transmission.kind)
    # An account that the lab has given up can not be asked any more; another one knows nothing.
    asked = sender is not None and sender.name == transmission.sender
    progress = await sender.follow(transmission.reference) if sender and asked else None
    async with portal.database.transaction(SENDING) as session:
        repository = TransmissionRepository(session, SENDING)
        found = await repository.transmission(transmission_id)
        if (found.status, found.reference) == (SendStatus.SENDING, transmission.reference):
            await _settle(Work(SENDING, session, portal), found, progress)


async def _settle(work: Work, transmission: Transmission, progress: Progress | None) -> None:
    now = utc_now()
    if progress is None or progress.status == SendStatus.SENDING:
        await _ask_again(work, transmission)
        return
    if progress.status == SendStatus.DELIVERED:
        transmission.status = SendStatus.DELIVERED
        transmission.trouble = None
        transmission.delivered_at = now
        await _account(work, transmission)
        return
    transmission.reference = None
    transmission.trouble = progress.trouble
    rounds = await work.repository(TransmissionRepository).taken(transmission.id)
    if progress.final or rounds >= FAX_ROUNDS:
        transmission.status = SendStatus.FAILED
    else:
        await put_off(work, transmission, progress.trouble)
    await _account(work, transmission)


async def _ask_again(work: Work, transmission: Transmission) -> None:
    assert transmission.sent_at is not None
    age = utc_now() - transmission.sent_at
    if age > patience(work.portal.settings).enough:
        transmission.status = SendStatus.FAILED
        transmission.trouble = Trouble.FAX_LOST
        await _account(work, transmission)
        return
    poll = timedelta(seconds=work.portal.settings.fax_poll_seconds)
    due = utc_now() + (poll if age < _SOON else max(poll, _SLOWLY))
    await defer(work.session, names.FOLLOW, {"transmission_id": transmission.id}, due=due)


async def _account(work: Work, transmission: Transmission) -> None:
    repository = work.repository(TransmissionRepository)
    ids = (await repository.requisition_ids([transmission.id]))[transmission.id]
    detail = {"transmission": transmission.id, "status": transmission.status}
    await work.audit("follow", "requisition", ids, detail)
