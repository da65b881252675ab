"""The job that attempts to send a transmission.

Each step is committed before the next one begins, so the database shows how far a worker came
before it died. An attempt is inserted before the forms are sent, and updated afterwards.
"""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from app.basics.clock import get_utc_now
from app.contract.enumerations import SendStatus
from app.server.access.parts import PortalParts
from app.server.access.work import Work
from app.server.database.pools import CONNECTION_ERRORS
from app.server.jobs.queue import defer_task
from app.server.logs import describe_error
from app.server.orders.rules import WITH_RELEASED_RESULTS
from app.server.transmissions.models import SendAttempt, Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import (
    IN_PROGRESS,
    RESULT_SUBJECTS,
    UNCERTAIN_SENDS_MAX,
    Outcome,
    Trouble,
)
from app.server.transmissions.senders.choose import Senders
from app.server.transmissions.senders.port import (
    Delivery,
    Sender,
    SendResult,
    Undecided,
    UndecidedAttempt,
)
from app.server.transmissions.service import names
from app.server.transmissions.service.content import load_delivery
from app.server.transmissions.service.outcomes import (
    SENDING,
    postpone,
    record_accepted,
    record_attempt,
    record_unsendable,
)

BUSY_WAIT = timedelta(seconds=30)
_STORE_PAUSES = (0.1, 0.5, 1.0, 2.0, 4.0)
"""Seconds between the tries to store a result; a worker that stops waits for ten seconds."""
_log = structlog.get_logger("portal.sending")


async def deliver_transmission(portal: PortalParts, transmission_id: int) -> None:
    """Attempt to send a transmission once, if it is due and no other worker attempts it."""
    async with portal.database.transaction(SENDING) as transaction:
        # The claim lasts until the attempt is updated, and PostgreSQL ends it when this process
        # dies. So a worker that only seemed dead cannot send at the same time as another worker.
        if await transaction.build_repository(TransmissionRepository).claim(transmission_id):
            await _attempt_or_postpone(portal, transmission_id)
        else:
            arguments = {"transmission_id": transmission_id}
            await defer_task(
                transaction, names.DELIVER, arguments, due_at=get_utc_now() + BUSY_WAIT
            )


async def _attempt_or_postpone(portal: PortalParts, transmission_id: int) -> None:
    """Attempt to send; an error of the portal is retried until the transmission fails."""
    try:
        await _attempt_delivery(portal, transmission_id)
    except Exception as error:
        details = describe_error(error)
        _log.warning("send attempt failed", transmission=transmission_id, **details)
        await _postpone_without_attempt(portal, transmission_id, Trouble.TROUBLE)


async def _attempt_delivery(portal: PortalParts, transmission_id: int) -> None:
    async with portal.database.transaction(SENDING) as transaction:
        repository = transaction.build_repository(TransmissionRepository)
        transmission = await repository.lock(transmission_id)
        uncertain_attempts = await repository.list_uncertain(transmission_id)
        is_waiting = await repository.is_waiting(transmission_id)
    if transmission.status not in IN_PROGRESS or transmission.reference is not None:
        return
    if is_waiting:
        # A worker postponed it and died before its job ended. The next attempt has its own job.
        return
    sender = portal.get_part(Senders).find(transmission.kind)
    if sender is None:
        await _postpone_without_attempt(portal, transmission_id, Trouble.NOT_CONFIGURED)
        return
    attempts = [attempt for attempt in uncertain_attempts if attempt.sender == sender.name]
    try:
        reference = await sender.find_accepted_attempt(
            [_build_undecided_attempt(transmission, attempt) for attempt in attempts]
        )
    except Undecided as error:
        await _postpone_without_attempt(portal, transmission_id, error.trouble, error.wait)
        return
    if reference is not None:
        result = SendResult(Outcome.ACCEPTED, reference=reference, is_pending=True)
        await _end_attempt(portal, transmission_id, attempts[-1].number, sender, result)
        return
    # Drawing, other attempts, and the other side may take long; results may change meanwhile.
    read_at = get_utc_now()
    delivery = await _build_delivery(portal, transmission_id, attempts)
    if delivery is None:
        return
    async with sender.turn:
        await _begin_attempt(portal, transmission_id, delivery.number, sender, read_at)
        result = await sender.send(delivery)
        await _end_attempt(portal, transmission_id, delivery.number, sender, result)


def _build_undecided_attempt(transmission: Transmission, attempt: SendAttempt) -> UndecidedAttempt:
    return UndecidedAttempt(
        transmission.key, attempt.number, transmission.destination, attempt.started_at
    )


async def _build_delivery(
    portal: PortalParts, transmission_id: int, uncertain_attempts: list[SendAttempt]
) -> Delivery | None:
    """Build the delivery of the next attempt, or return None if it must no longer be sent."""
    async with portal.database.transaction(SENDING) as transaction:
        work = Work(transaction, portal)
        repository = work.build_repository(TransmissionRepository)
        transmission = await repository.lock(transmission_id)
        ids = (await repository.load_requisition_ids([transmission_id]))[transmission_id]
        obstacle = await _find_obstacle(repository, transmission, ids)
        if obstacle is None and len(uncertain_attempts) >= UNCERTAIN_SENDS_MAX:
            obstacle = Trouble.UNCERTAIN
        if obstacle is not None:
            await record_unsendable(work, transmission, obstacle)
            return None
        draw = await load_delivery(work, transmission, ids)
    # Many reports take seconds to draw.
    delivery = await draw()
    if not uncertain_attempts:
        return delivery
    return replace(delivery, repeated_number=uncertain_attempts[0].number)


async def _begin_attempt(
    portal: PortalParts, transmission_id: int, number: int, sender: Sender, read_at: datetime
) -> None:
    """Insert the attempt, before anything is sent; it started when its content was read."""
    async with portal.database.transaction(SENDING) as transaction:
        repository = transaction.build_repository(TransmissionRepository)
        transmission = await repository.lock(transmission_id)
        await repository.create_attempt(transmission, number, sender.name, read_at)
        transmission.attempts = number
        transmission.status = SendStatus.SENDING
        transmission.next_try_at = None


async def _find_obstacle(
    repository: TransmissionRepository, transmission: Transmission, ids: list[int]
) -> Trouble | None:
    """Return why a transmission of these requisitions must no longer be sent, or None."""
    if transmission.subject not in RESULT_SUBJECTS:
        return None if await repository.are_sendable(ids) else Trouble.CANCELED
    orders = await repository.load_orders(ids)
    are_released = all(order.status in WITH_RELEASED_RESULTS for order in orders.values())
    return None if are_released else Trouble.NOTHING_RELEASED


async def _end_attempt(
    portal: PortalParts, transmission_id: int, number: int, sender: Sender, result: SendResult
) -> None:
    """Store the result, for some seconds also while the database restarts.

    Without the result, the next attempt would send an e-mail again.
    """
    ended_at = get_utc_now()
    for pause in _STORE_PAUSES:
        try:
            return await _store_result(portal, transmission_id, number, sender, result, ended_at)
        except CONNECTION_ERRORS as error:
            details = describe_error(error)
            _log.warning("result not stored yet", transmission=transmission_id, **details)
            await asyncio.sleep(pause)
    return await _store_result(portal, transmission_id, number, sender, result, ended_at)


async def _store_result(
    portal: PortalParts,
    transmission_id: int,
    number: int,
    sender: Sender,
    result: SendResult,
    ended_at: datetime,
) -> None:
    """Update the attempt and the transmission with the result, and schedule the next job."""
    async with portal.database.transaction(SENDING) as transaction:
        repository = transaction.build_repository(TransmissionRepository)
        transmission = await repository.lock(transmission_id)
        attempt = await repository.get_attempt(transmission_id, number)
        if attempt.ended_at == ended_at:
            return  # An earlier try stored it, and its answer was lost.
        attempt.ended_at = ended_at
        attempt.outcome = result.outcome
        attempt.trouble = result.trouble
        attempt.reference = result.reference
        work = Work(transaction, portal)
        if result.outcome == Outcome.ACCEPTED:
            await record_accepted(work, transmission, sender.name, result)
        elif result.outcome == Outcome.REFUSED:
            transmission.status = SendStatus.FAILED
            transmission.trouble = result.trouble
        else:
            await postpone(work, transmission, result.trouble, result.wait)
        await record_attempt(work, transmission, number, result.outcome)


async def _postpone_without_attempt(
    portal: PortalParts,
    transmission_id: int,
    trouble: Trouble,
    wait: timedelta | None = None,
) -> None:
    async with portal.database.transaction(SENDING) as transaction:
        repository = transaction.build_repository(TransmissionRepository)
        transmission = await repository.lock(transmission_id)
        await postpone(Work(transaction, portal), transmission, trouble, wait, was_attempted=False)
