"""The worker's part: one try of a transmission.

Every step is a transaction of its own, committed before the next, so that a worker that dies
leaves on record how far it was: the try is written before anything goes out, and marked after.
"""

from datetime import timedelta

import structlog

from app.basics.clock import utc_now
from app.contract.enumerations import SendStatus
from app.server.access.parts import Parts
from app.server.access.work import Work
from app.server.jobs.queue import defer
from app.server.logs import kind_and_place
from app.server.transmissions.models import SendAttempt, Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import UNDER_WAY, Outcome, Trouble
from app.server.transmissions.senders.choose import Senders
from app.server.transmissions.senders.port import Answer, Parcel, Sender, Try, Undecided
from app.server.transmissions.service import names
from app.server.transmissions.service.content import parcel_of
from app.server.transmissions.service.settle import SENDING, account, put_off, refused, taken

BUSY = timedelta(seconds=30)
_log = structlog.get_logger("portal.sending")


async def deliver(portal: Parts, transmission_id: int) -> None:
    """Try once to send it, unless it is at its end, its next try is still to come, or another
    worker is at it."""
    async with portal.database.transaction(SENDING) as session:
        # Held until the try is marked, and let go by PostgreSQL when this process dies: a worker
        # that was only thought to be dead does not meet another at the same transmission.
        if await TransmissionRepository(session, SENDING).hold(transmission_id):
            await _try_or_put_off(portal, transmission_id)
        else:
            arguments = {"transmission_id": transmission_id}
            await defer(session, names.DELIVER, arguments, due=utc_now() + BUSY)


async def _try_or_put_off(portal: Parts, transmission_id: int) -> None:
    """A fault of ours is trouble as well: it is tried again, and given up when that has been done
    for long enough, instead of being on its way for ever."""
    try:
        await _try(portal, transmission_id)
    except Exception as error:
        fault = kind_and_place(error)
        _log.warning("send attempt broken off", transmission=transmission_id, **fault)
        await _not_tried(portal, transmission_id, Trouble.TROUBLE)


async def _try(portal: Parts, transmission_id: int) -> None:
    async with portal.database.transaction(SENDING) as session:
        repository = TransmissionRepository(session, SENDING)
        transmission = await repository.transmission(transmission_id)
        open_tries = await repository.undecided(transmission_id)
        waits = await repository.waits(transmission_id)
    if transmission.status not in UNDER_WAY or transmission.reference is not None:
        return
    if waits:
        # Done already: the worker that put it off died before its job was ended. The job of the
        # next try is there.
        return
    sender = portal.part(Senders).of(transmission.kind)
    if sender is None:
        await _not_tried(portal, transmission_id, Trouble.NOT_CONFIGURED)
        return
    same = [each for each in open_tries if each.sender == sender.name]
    try:
        reference = await sender.find([_asked(transmission, each) for each in same])
    except Undecided as undecided:
        await _not_tried(portal, transmission_id, undecided.trouble, undecided.wait)
        return
    if reference is not None:
        answer = Answer(Outcome.ACCEPTED, reference=reference, followed=True)
        await _ended(portal, transmission_id, same[-1].number, sender, answer)
        return
    parcel = await _begun(portal, transmission_id, sender)
    if parcel is None:
        return
    answer = await sender.send(parcel)
    await _ended(portal, transmission_id, parcel.number, sender, answer)


def _asked(transmission: Transmission, attempt: SendAttempt) -> Try:
    return Try(transmission.key, attempt.number, transmission.destination, attempt.started_at)


async def _begun(portal: Parts, transmission_id: int, sender: Sender) -> Parcel | None:
    """The parcel of a try that is on record now; None when it is not to be sent any more."""
    async with portal.database.transaction(SENDING) as session:
        repository = TransmissionRepository(session, SENDING)
        transmission = await repository.transmission(transmission_id)
        ids = (await repository.requisition_ids([transmission_id]))[transmission_id]
        if not await repository.sendable(ids):
            await refused(Work(SENDING, session, portal), transmission, Trouble.CANCELED)
            return None
        parcel = await parcel_of(Work(SENDING, session, portal), transmission, ids)
        await repository.begin_attempt(transmission, parcel.number, sender.name, utc_now())
        transmission.attempts = parcel.number
        transmission.status = SendStatus.SENDING
        transmission.next_try_at = None
    return parcel


async def _ended(
    portal: Parts, transmission_id: int, number: int, sender: Sender, answer: Answer
) -> None:
    """Mark the try, and have done next what follows from how it ended."""
    async with portal.database.transaction(SENDING) as session:
        repository = TransmissionRepository(session, SENDING)
        transmission = await repository.transmission(transmission_id)
        attempt = await repository.attempt(transmission_id, number)
        attempt.ended_at = utc_now()
        attempt.outcome = answer.outcome
        attempt.trouble = answer.trouble
        attempt.reference = answer.reference
        work = Work(SENDING, session, portal)
        if answer.outcome == Outcome.ACCEPTED:
            await taken(work, transmission, sender.name, answer)
        elif answer.outcome == Outcome.REFUSED:
            transmission.status = SendStatus.FAILED
            transmission.trouble = answer.trouble
        else:
            await put_off(work, transmission, answer.trouble, answer.wait)
        await account(work, transmission, number, answer.outcome)


async def _not_tried(
    portal: Parts,
    transmission_id: int,
    trouble: Trouble,
    wait: timedelta | None = None,
) -> None:
    async with portal.database.transaction(SENDING) as session:
        repository = TransmissionRepository(session, SENDING)
        transmission = await repository.transmission(transmission_id)
        await put_off(Work(SENDING, session, portal), transmission, trouble, wait, tried=False)
