"""Updates a transmission after an attempt, in the transaction that updates the attempt."""

from datetime import timedelta

import structlog

from app.basics.clock import get_utc_now
from app.contract.enumerations import SendStatus
from app.server.access.work import Work
from app.server.actor import build_worker_actor
from app.server.jobs.queue import defer_task
from app.server.settings import Settings
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import Outcome, RetryPolicy, Trouble
from app.server.transmissions.senders.port import SendResult
from app.server.transmissions.service import names
from app.server.transmissions.service.records import audit_transmission

SENDING = build_worker_actor("send requisitions")
"""The actor of the jobs of transmissions."""

_log = structlog.get_logger("portal.sending")


def build_retry_policy(settings: Settings) -> RetryPolicy:
    """Build the retry policy from the settings."""
    return RetryPolicy(
        first_wait=timedelta(seconds=settings.send_wait_seconds),
        longest_wait=timedelta(seconds=settings.send_wait_max_seconds),
        give_up_after=timedelta(hours=settings.send_hours),
    )


async def record_accepted(
    work: Work, transmission: Transmission, sender: str, result: SendResult
) -> None:
    """Record that the server or provider accepted the transmission, and follow a fax."""
    transmission.trouble = None
    transmission.next_try_at = None
    transmission.sender = sender
    transmission.reference = result.reference
    transmission.sent_at = get_utc_now()
    if not result.is_pending:
        transmission.status = SendStatus.SENT
        return
    transmission.status = SendStatus.SENDING
    wait = timedelta(seconds=work.portal.settings.fax_poll_seconds)
    arguments = {"transmission_id": transmission.id}
    await defer_task(work, names.FOLLOW, arguments, due_at=get_utc_now() + wait)


async def postpone(
    work: Work,
    transmission: Transmission,
    trouble: Trouble | None,
    requested_wait: timedelta | None = None,
    *,
    was_attempted: bool = True,
) -> None:
    """Schedule the next attempt, or fail when the retry policy gives up."""
    policy = build_retry_policy(work.portal.settings)
    now = get_utc_now()
    if was_attempted:
        due_at = now + policy.compute_wait(transmission.attempts, requested_wait)
    else:
        age = now - transmission.created_at
        due_at = now + policy.compute_wait_without_attempt(age, requested_wait)
    if due_at > transmission.created_at + policy.give_up_after:
        repository = work.build_repository(TransmissionRepository)
        if await repository.list_uncertain(transmission.id):
            trouble = Trouble.UNCERTAIN
        await _fail_transmission(work, transmission, trouble, "give up sending")
        return
    transmission.trouble = trouble
    transmission.status = SendStatus.QUEUED
    transmission.next_try_at = due_at
    await defer_task(work, names.DELIVER, {"transmission_id": transmission.id}, due_at=due_at)


async def record_unsendable(work: Work, transmission: Transmission, trouble: Trouble) -> None:
    """Record that the transmission must no longer be sent."""
    await _fail_transmission(work, transmission, trouble, "refuse to send")


async def _fail_transmission(
    work: Work, transmission: Transmission, trouble: Trouble | None, action: str
) -> None:
    """End the transmission as failed, and audit the reason."""
    transmission.status = SendStatus.FAILED
    transmission.trouble = trouble
    transmission.next_try_at = None
    await audit_transmission(work, transmission, action, trouble=trouble and str(trouble))


async def record_attempt(
    work: Work, transmission: Transmission, number: int, outcome: Outcome
) -> None:
    """Audit and log the end of an attempt, without the address or number."""
    await audit_transmission(
        work, transmission, "send attempt", attempt=number, outcome=str(outcome)
    )
    _log.info(
        "send attempt",
        transmission=transmission.id,
        kind=transmission.kind,
        attempt=number,
        outcome=str(outcome),
        trouble=transmission.trouble,
    )
