"""What follows from how a try ended, in the transaction that marks it."""

from datetime import timedelta

import structlog

from app.basics.clock import utc_now
from app.contract.enumerations import SendStatus
from app.server.access.work import Work
from app.server.actor import worker
from app.server.jobs.queue import defer
from app.server.settings import Settings
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import Outcome, Patience, Trouble
from app.server.transmissions.senders.port import Answer
from app.server.transmissions.service import names

SENDING = worker("send requisitions")
"""On whose behalf background work reads and writes here."""

_log = structlog.get_logger("portal.sending")


def patience(settings: Settings) -> Patience:
    """How long the lab tries."""
    return Patience(
        first=timedelta(seconds=settings.send_wait_seconds),
        longest=timedelta(seconds=settings.send_wait_max_seconds),
        enough=timedelta(hours=settings.send_hours),
    )


async def taken(work: Work, transmission: Transmission, sender: str, answer: Answer) -> None:
    """The other side has it."""
    transmission.trouble = None
    transmission.next_try_at = None
    transmission.sender = sender
    transmission.reference = answer.reference
    transmission.sent_at = utc_now()
    if not answer.followed:
        transmission.status = SendStatus.SENT
        return
    transmission.status = SendStatus.SENDING
    wait = timedelta(seconds=work.portal.settings.fax_poll_seconds)
    arguments = {"transmission_id": transmission.id}
    await defer(work.session, names.FOLLOW, arguments, due=utc_now() + wait)


async def put_off(
    work: Work,
    transmission: Transmission,
    trouble: Trouble | None,
    asked_wait: timedelta | None = None,
    *,
    tried: bool = True,
) -> None:
    """Try again later, or never again when it has been tried for long enough."""
    rule = patience(work.portal.settings)
    now = utc_now()
    if tried:
        due = now + rule.wait(transmission.attempts, asked_wait)
    else:
        due = now + rule.wait_untried(now - transmission.created_at, asked_wait)
    if due > transmission.created_at + rule.enough:
        await _end(work, transmission, trouble, "give up sending")
        return
    transmission.trouble = trouble
    transmission.status = SendStatus.QUEUED
    transmission.next_try_at = due
    await defer(work.session, names.DELIVER, {"transmission_id": transmission.id}, due=due)


async def refused(work: Work, transmission: Transmission, trouble: Trouble) -> None:
    """It is not sent, for a reason that is on our side and for good."""
    await _end(work, transmission, trouble, "refuse to send")


async def _end(
    work: Work, transmission: Transmission, trouble: Trouble | None, action: str
) -> None:
    """Nothing more is tried; the journal says why."""
    transmission.status = SendStatus.FAILED
    transmission.trouble = trouble
    transmission.next_try_at = None
    repository = work.repository(TransmissionRepository)
    ids = (await repository.requisition_ids([transmission.id]))[transmission.id]
    detail = {"transmission": transmission.id, "trouble": trouble and str(trouble)}
    await work.audit(action, "requisition", ids, detail)


async def account(work: Work, transmission: Transmission, number: int, outcome: Outcome) -> None:
    """Journal and log the end of a try, neither with an address or a number."""
    repository = work.repository(TransmissionRepository)
    ids = (await repository.requisition_ids([transmission.id]))[transmission.id]
    detail = {"transmission": transmission.id, "attempt": number, "outcome": str(outcome)}
    await work.audit("send attempt", "requisition", ids, detail)
    _log.info(
        "send attempt",
        transmission=transmission.id,
        kind=transmission.kind,
        attempt=number,
        outcome=str(outcome),
        trouble=transmission.trouble,
    )
