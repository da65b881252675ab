"""E-mail and fax: accepts requests and defers them to a worker."""

from uuid import uuid4

from app.basics.errors import FieldError, NotFound, require_allowed, require_no_errors
from app.contract import messages
from app.contract.enumerations import CopyType, OrderStatus, SendStatus
from app.contract.limits import SEND_IDS_MAX
from app.server.access.work import Work
from app.server.jobs.queue import defer_task
from app.server.orders.rules import OrderState
from app.server.paperwork.service.order_results import get_orders
from app.server.requisitions import rules as requisition_rules
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.states import build_state
from app.server.transmissions import rules
from app.server.transmissions.errors import SendingNotConfigured
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import Subject
from app.server.transmissions.schemas import (
    ResultsTransmissionRequest,
    TransmissionRead,
    TransmissionRequest,
)
from app.server.transmissions.senders.choose import Senders
from app.server.transmissions.service import names
from app.server.transmissions.service.read import build_recipients
from app.server.transmissions.service.records import audit_transmission

_NOT_CONFIGURED = {
    CopyType.EMAIL: messages.EMAIL_NOT_CONFIGURED,
    CopyType.FAX: messages.FAX_NOT_CONFIGURED,
}


async def request_transmission(work: Work, body: TransmissionRequest) -> TransmissionRead:
    """Request a transmission of requisitions to one address or number, all or none.

    The worker's job is deferred in the same transaction.

    Raises:
        BadInput: ids, type or recipient are missing or invalid, or there are several recipients.
        NotFound: a requisition does not exist or is out of scope.
        RequisitionNotSendable: a requisition is canceled; the message names it.
        SendingNotConfigured: the lab has not configured this type of sending.
    """
    kind, destination, ids = _validate_request(body)
    records = await work.build_repository(RequisitionRepository).load_in_scope(Requisition, ids)
    if len(records) != len(ids):
        raise NotFound(messages.NOT_FOUND)
    for requisition_id in ids:
        state = build_state(records[requisition_id])
        require_allowed(rules.judge_sending(work.actor, state))
    return await _accept_transmission(work, kind, destination, ids, Subject.FORMS)


async def request_results(work: Work, body: ResultsTransmissionRequest) -> TransmissionRead:
    """Request a transmission of orders' results to one address or number, all or none.

    Only what is released at the time of sending leaves the portal.

    Raises:
        BadInput: ids, type or recipient are missing or invalid, or there are several recipients.
        NotFound: an order does not exist or is out of scope.
        NothingToSend: an order has no released results; the message names it.
        SendingNotConfigured: the lab has not configured this type of sending.
    """
    kind, destination, ids = _validate_request(body)
    orders = await get_orders(work, ids)
    for order in orders:
        state = OrderState(order.code, OrderStatus(order.status))
        require_allowed(rules.judge_sending_results(work.actor, state))
    subject = Subject.CORRECTED_RESULTS if body.is_correction else Subject.RESULTS
    requisition_ids = [order.requisition_id for order in orders]
    return await _accept_transmission(work, kind, destination, requisition_ids, subject)


def _validate_request(body: TransmissionRequest) -> tuple[CopyType, str, list[int]]:
    """Return the type, the recipient and the ids of a request, or raise BadInput."""
    copy = requisition_rules.normalize_copy(body.type, body.value)
    errors = [
        FieldError("value" if error.field == "destination" else error.field, error.message)
        for error in requisition_rules.validate_copy(copy)
    ]
    ids = requisition_rules.deduplicate_ids(body.ids)
    if not ids:
        errors.append(FieldError("ids", messages.VALUE_REQUIRED))
    elif len(ids) > SEND_IDS_MAX:
        errors.append(FieldError("ids", messages.TOO_MANY_IDS.format(max=SEND_IDS_MAX)))
    require_no_errors(errors)
    return CopyType(copy.kind), copy.destination, ids


async def _accept_transmission(
    work: Work, kind: CopyType, destination: str, requisition_ids: list[int], subject: Subject
) -> TransmissionRead:
    """Create a transmission of these requisitions, and return it."""
    if work.portal.get_part(Senders).find(kind) is None:
        raise SendingNotConfigured(_NOT_CONFIGURED[kind])
    transmission = await _create_transmission(work, kind, destination, requisition_ids, subject)
    recipients = await build_recipients(work, [transmission])
    return TransmissionRead(
        id=transmission.id, status=SendStatus(transmission.status), recipients=recipients
    )


async def _create_transmission(
    work: Work, kind: CopyType, destination: str, ids: list[int], subject: Subject
) -> Transmission:
    assert work.actor.user_id is not None
    transmission = Transmission(
        key=uuid4(),
        kind=kind,
        subject=subject,
        destination=destination,
        status=SendStatus.QUEUED,
        requested_by=work.actor.user_id,
        requested_by_name=work.actor.name,
    )
    await work.build_repository(TransmissionRepository).create(transmission, ids)
    await defer_task(work, names.DELIVER, {"transmission_id": transmission.id})
    await audit_transmission(work, transmission, "send", type=str(kind))
    return transmission
