"""Reads the tubes of requisitions and orders."""

from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import ReasonKind, ScopeKind
from app.server.access.schemas import Permission
from app.server.access.work import Work
from app.server.catalog.repository import CatalogRepository
from app.server.catalog.tubes import list_tubes
from app.server.clients.models import Client
from app.server.lab_settings.repository import ReasonRepository
from app.server.orders.models import Order
from app.server.orders.service.read import get_order
from app.server.orders.service.status import build_state
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.service.needs import build_needs
from app.server.specimens.repository import SpecimenRepository
from app.server.specimens.rules import judge_receiving_specimens
from app.server.specimens.schemas import ClientToCall, DueTube, SpecimenRead, SpecimensRead
from app.server.specimens.service.describe import find_needed_kinds, find_reason, list_conditions


async def read_specimens(work: Work, order_id: int) -> SpecimensRead:
    """Return the tubes of an order, or raise NotFound."""
    order = await get_order(work, order_id)
    await work.audit("read-specimens", "order", [order.id])
    return await build_specimens(work, order)


async def read_due_tubes(work: Work, requisition_id: int) -> list[DueTube]:
    """Return the tubes that a requisition needs, as labels number them, or raise NotFound."""
    repository = work.build_repository(RequisitionRepository)
    requisition = await repository.find_one(Requisition, requisition_id)
    if requisition is None:
        raise NotFound(messages.NOT_FOUND)
    await work.audit("read-specimens", "requisition", [requisition.id])
    parts = await repository.load_parts([requisition])
    needs = build_needs(parts[requisition.id])
    containers = {need.container for need in needs}
    volumes = await work.build_repository(CatalogRepository).load_container_volumes(containers)
    return [DueTube.model_validate(tube) for tube in list_tubes(needs, volumes)]


async def build_specimens(work: Work, order: Order) -> SpecimensRead:
    """Build the answer about the tubes of an order."""
    repository = work.build_repository(SpecimenRepository)
    tubes = await repository.list_tubes(order.id)
    needed_kinds = find_needed_kinds(await repository.list_tests(order.id))
    kinds = (ReasonKind.CONDITION, ReasonKind.REJECTION)
    reason_names = await work.build_repository(ReasonRepository).load_names(*kinds)
    users = [user for tube in tubes for user in (tube.received_by, tube.rejected_by)]
    names = await repository.load_user_names(users) if work.actor.sees_user_names else {}
    is_lab = work.actor.kind is ScopeKind.STAFF
    return SpecimensRead(
        order_id=order.id,
        version=order.version,
        specimen_condition=order.specimen_condition,
        awaits_collection=order.awaits_collection,
        collection_sites=order.collection_sites,
        entry_alert=order.entry_alert,
        tubes=[
            SpecimenRead(
                id=tube.id,
                number=tube.number,
                container=tube.container,
                specimen=tube.specimen,
                state=tube.state,
                conditions=list_conditions(tube, reason_names),
                condition_codes=tube.conditions,
                condition_words=tube.condition_words,
                is_needed=(tube.container, tube.specimen) in needed_kinds,
                is_replacement=tube.replaces_id is not None,
                collected_at=tube.collected_at,
                received_at=tube.received_at,
                received_by=names.get(tube.received_by) if tube.received_by else None,
                reason=find_reason(tube, reason_names),
                reason_words=tube.reason_words,
                rejected_at=tube.rejected_at,
                rejected_by=names.get(tube.rejected_by) if tube.rejected_by else None,
            )
            for tube in tubes
        ],
        client_to_call=await find_client_to_call(work, order.client_id) if is_lab else None,
        can_change=Permission.of(judge_receiving_specimens(work.actor, build_state(order))),
    )


async def find_client_to_call(work: Work, client_id: int) -> ClientToCall | None:
    """Return the client to call if no e-mail can report a rejected specimen, or None."""
    client = await work.build_repository(SpecimenRepository).find_one(Client, client_id)
    assert client is not None
    if client.notice_email is not None and work.portal.settings.has_mail_server:
        return None
    return ClientToCall(name=client.name, phone=client.phone)
