"""The task that notifies a client by e-mail of a rejected specimen (DECISIONS, Sending)."""

from uuid import UUID

from app.contract.enumerations import CopyType, SendStatus
from app.server.access.parts import PortalParts
from app.server.access.work import Work
from app.server.clients.models import Client
from app.server.jobs.queue import defer_task
from app.server.orders.models import Order
from app.server.paperwork.service.facts import load_lab
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import Subject
from app.server.transmissions.senders.choose import Senders
from app.server.transmissions.service import names
from app.server.transmissions.service.outcomes import SENDING


async def notify_client(portal: PortalParts, order_id: int, user_id: str, key: str) -> None:
    """Queue the e-mail to the order's client, once for each ``key``.

    There is no e-mail if the client has no address or the lab no mail server. The order and the
    search show the rejection, and the audit log says why nothing was sent.
    """
    async with portal.database.transaction(SENDING) as transaction:
        work = Work(transaction, portal)
        repository = work.build_repository(TransmissionRepository)
        if await repository.is_key_used(UUID(key)):
            return
        order = await repository.find_one(Order, order_id)
        assert order is not None
        client = await repository.find_one(Client, order.client_id)
        address = client.notice_email if client else None
        if address is None or portal.get_part(Senders).find(CopyType.EMAIL) is None:
            trouble = "noAddress" if address is None else "notConfigured"
            await work.audit("tell-client", "order", [order_id], {"trouble": trouble})
            return
        lab = await load_lab(work)
        transmission = Transmission(
            key=UUID(key),
            kind=CopyType.EMAIL,
            subject=Subject.REJECTED_SPECIMEN,
            destination=address,
            status=SendStatus.QUEUED,
            requested_by=UUID(user_id),
            requested_by_name=lab.name,
        )
        await repository.create(transmission, [order.requisition_id])
        await defer_task(work, names.DELIVER, {"transmission_id": transmission.id})
        detail = {"transmission": transmission.id}
        await work.audit("tell-client", "order", [order_id], detail)
