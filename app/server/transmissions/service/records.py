"""Audits what happens to transmissions, by the records that they are about."""

from app.server.access.work import Work
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import RESULT_SUBJECTS


async def audit_transmission(
    work: Work, transmission: Transmission, action: str, **detail: int | str | None
) -> None:
    """Audit an event of a transmission: by its orders if it has results, or by requisitions."""
    repository = work.build_repository(TransmissionRepository)
    ids = (await repository.load_requisition_ids([transmission.id]))[transmission.id]
    content = {"transmission": transmission.id, **detail}
    if transmission.subject in RESULT_SUBJECTS:
        orders = await repository.load_orders(ids)
        order_ids = [orders[i].id for i in ids if i in orders]
        await work.audit(action, "order-results", order_ids, content)
    else:
        await work.audit(action, "requisition", ids, content)
