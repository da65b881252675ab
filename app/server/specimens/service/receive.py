"""Receives requisitions with their tubes (DECISIONS, Ordering)."""

from typing import Any

from app.basics.errors import BadInput, FieldError, require_no_errors
from app.basics.text import clean_text
from app.contract import messages
from app.contract.enumerations import SpecimenState
from app.server.access.work import Work
from app.server.catalog.tubes import list_tubes
from app.server.orders.service.begin import BegunOrder, begin_orders, store_orders
from app.server.orders.service.read import get_order
from app.server.specimens.repository import SpecimenRepository
from app.server.specimens.schemas import ClientToCall, Received, ReceiveRequest
from app.server.specimens.service.change import change_tubes, validate_site
from app.server.specimens.service.read import find_client_to_call


async def receive_requisitions(work: Work, body: ReceiveRequest) -> list[Received]:
    """Receive requisitions, all or none; each becomes an order with its tubes.

    Raises:
        NotFound, TransitionNotAllowed, FutureCollection: see ``begin_orders``.
        BadInput: there are neither ids nor a code, tubes are named for several requisitions, or
            a tube, condition, reason or collection site is unknown.
    """
    site = await validate_site(work, body.collection_site) if body.collection_site else None
    new_orders = await begin_orders(work, body.ids, body.code, accepts_future=body.accepts_future)
    if body.tubes and len(new_orders) > 1:
        raise BadInput.of(FieldError("tubes", messages.TUBES_OF_ONE_REQUISITION))
    alert = clean_text(body.entry_alert)
    for begun_order in new_orders:
        begun_order.order.entry_alert = alert
        begun_order.order.collection_sites = [site] if site else []
    await store_orders(work, new_orders)
    named_numbers = {tube.number for tube in body.tubes}
    rows = [_build_rows(begun_order, named_numbers) for begun_order in new_orders]
    require_no_errors(_find_unknown_tubes(named_numbers, rows[0]) if named_numbers else [])
    repository = work.build_repository(SpecimenRepository)
    repository.add_tubes([row for tubes in rows for row in tubes])
    counts = [len(tubes) for tubes in rows]
    client_to_call = None
    if body.tubes:
        await work.statements.send()
        order = await get_order(work, new_orders[0].order.id, lock=True)
        tubes = await change_tubes(work, order, body.tubes)
        counts = [sum(tube.state == SpecimenState.RECEIVED for tube in tubes)]
        if any(tube.state == SpecimenState.REJECTED for tube in tubes):
            client_to_call = await find_client_to_call(work, order.client_id)
    return [
        _build_received(begun_order, count, len(tubes), client_to_call)
        for begun_order, count, tubes in zip(new_orders, counts, rows, strict=True)
    ]


def _build_rows(new_order: BegunOrder, named_numbers: set[int]) -> list[dict[str, Any]]:
    """Build the rows of an order's tubes, all received except those that the request names."""
    order = new_order.order
    rows: list[dict[str, Any]] = []
    for tube in list_tubes(new_order.record.needs, new_order.record.volumes):
        is_named = tube.number in named_numbers
        rows.append(
            {
                "order_id": order.id,
                "number": tube.number,
                "container": tube.container,
                "specimen": tube.specimen,
                "state": SpecimenState.EXPECTED if is_named else SpecimenState.RECEIVED,
                "received_at": None if is_named else order.received_at,
                "received_by": None if is_named else order.received_by,
            }
        )
    return rows


def _find_unknown_tubes(named_numbers: set[int], rows: list[dict[str, Any]]) -> list[FieldError]:
    numbers = {row["number"] for row in rows}
    return [FieldError("tubes", messages.TUBE_UNKNOWN)] if named_numbers - numbers else []


def _build_received(
    new_order: BegunOrder, tubes: int, tubes_due: int, client_to_call: ClientToCall | None
) -> Received:
    order = new_order.order
    is_early = order.collection_date > order.received_at
    return Received(
        requisition_id=order.requisition_id,
        requisition_code=new_order.record.requisition.code,
        patient_last_name=order.patient_last_name,
        patient_first_name=order.patient_first_name,
        order_id=order.id,
        order_code=order.code,
        collection_to_come=order.collection_date if is_early else None,
        tubes=tubes,
        tubes_due=tubes_due,
        client_to_call=client_to_call,
    )
