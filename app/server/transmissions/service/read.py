"""What was sent, to whom, when, and what became of it."""

from collections.abc import Sequence

from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import CopyType, SendStatus
from app.server.access.work import Work
from app.server.requisitions import rules as requisition_rules
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import RequisitionRepository
from app.server.transmissions import rules
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.schemas import RecipientRead


async def sent(work: Work, ids: Sequence[int]) -> list[RecipientRead]:
    """What was sent of these requisitions, the newest first.

    Raises:
        NotFound: one is not the actor's.
    """
    wanted = requisition_rules.deduplicate_ids(ids)
    records = await work.repository(RequisitionRepository).many(Requisition, wanted)
    if len(records) != len(wanted):
        raise NotFound(messages.NOT_FOUND)
    repository = work.repository(TransmissionRepository)
    found = await recipients(work, await repository.of_requisitions(wanted))
    if found:
        await work.audit("see transmissions", "requisition", wanted)
    return found


async def recipients(work: Work, transmissions: Sequence[Transmission]) -> list[RecipientRead]:
    """Transmissions in their wire form, each with those of its requisitions the actor sees."""
    repository = work.repository(TransmissionRepository)
    of = await repository.requisition_ids([each.id for each in transmissions])
    return [
        RecipientRead(
            id=each.id,
            requisition_ids=of[each.id],
            type=CopyType(each.kind),
            destination=each.destination,
            status=SendStatus(each.status),
            attempts=each.attempts,
            last_error=rules.in_words(each.trouble),
            created_at=each.created_at,
            next_try_at=each.next_try_at,
            sent_at=each.sent_at,
            delivered_at=each.delivered_at,
            sent_by=each.requested_by_name,
        )
        for each in transmissions
    ]
