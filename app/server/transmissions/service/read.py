"""Reads transmissions with their recipients and status."""

from collections.abc import Sequence

from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import CopyType, SendStatus
from app.server.access.work import Work
from app.server.paperwork.service.order_results import get_orders
from app.server.requisitions import rules as requisition_rules
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import RequisitionRepository
from app.server.transmissions import rules
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import RESULT_SUBJECTS, Subject
from app.server.transmissions.schemas import RecipientRead


async def list_recipients(work: Work, ids: Sequence[int]) -> list[RecipientRead]:
    """Return the transmissions of these requisitions, newest first.

    Raises:
        NotFound: a requisition does not exist or is out of scope.
    """
    unique_ids = requisition_rules.deduplicate_ids(ids)
    records = await work.build_repository(RequisitionRepository).load_in_scope(
        Requisition, unique_ids
    )
    if len(records) != len(unique_ids):
        raise NotFound(messages.NOT_FOUND)
    repository = work.build_repository(TransmissionRepository)
    subjects = set(Subject) - RESULT_SUBJECTS
    transmissions = await repository.list_by_requisitions(unique_ids, subjects)
    recipients = await build_recipients(work, transmissions)
    if recipients:
        await work.audit("see transmissions", "requisition", unique_ids)
    return recipients


async def list_recipients_of_results(work: Work, order_ids: Sequence[int]) -> list[RecipientRead]:
    """Return the transmissions of these orders' results, newest first.

    Raises:
        NotFound: an order does not exist or is out of scope.
    """
    orders = await get_orders(work, order_ids)
    repository = work.build_repository(TransmissionRepository)
    transmissions = await repository.list_by_requisitions(
        [order.requisition_id for order in orders], RESULT_SUBJECTS
    )
    recipients = await build_recipients(work, transmissions)
    if recipients:
        await work.audit("see transmissions", "order-results", [order.id for order in orders])
    return recipients


async def build_recipients(
    work: Work, transmissions: Sequence[Transmission]
) -> list[RecipientRead]:
    """Build the answer for transmissions, each with its requisitions in the actor's scope."""
    repository = work.build_repository(TransmissionRepository)
    requisition_ids = await repository.load_requisition_ids([row.id for row in transmissions])
    result_ids = [row.id for row in transmissions if row.subject in RESULT_SUBJECTS]
    orders = await repository.load_orders(
        {i for row_id in result_ids for i in requisition_ids[row_id]}
    )
    order_ids = {
        row_id: [orders[i].id for i in requisition_ids[row_id] if i in orders]
        for row_id in result_ids
    }
    return [
        RecipientRead(
            id=row.id,
            subject=row.subject,
            requisition_ids=requisition_ids[row.id],
            order_ids=order_ids.get(row.id, []),
            type=CopyType(row.kind),
            destination=row.destination,
            status=SendStatus(row.status),
            attempts=row.attempts,
            last_error=rules.describe_trouble(row.trouble),
            created_at=row.created_at,
            next_try_at=row.next_try_at,
            sent_at=row.sent_at,
            delivered_at=row.delivered_at,
            sent_by=rules.name_requester(work.actor, row.requested_by, row.requested_by_name),
        )
        for row in transmissions
    ]
