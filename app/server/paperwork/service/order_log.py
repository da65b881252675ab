"""The order log as PDF (R 7), with one line for each order."""

from collections.abc import Sequence

from app.basics.clock import get_lab_now
from app.contract.enumerations import LABELS, OrderStatus
from app.drawing.pages import OrderedTest, OrderLog, OrderLogLine, draw_order_log
from app.server.lab_settings.repository import SettingRepository
from app.server.orders import rules
from app.server.orders.models import Order
from app.server.orders.repository import OrderRepository
from app.server.paperwork.service.facts import Facts, load_lab
from app.server.paperwork.service.order_results import get_orders
from app.server.paperwork.service.report import ReportContext, ReportSteps, split_batches
from app.server.requisitions.models import Requisition
from app.server.requisitions.rules import deduplicate_ids


async def render_order_log(context: ReportContext, ids: list[int]) -> ReportSteps:
    """Render the log of these orders, in the order of the ids, or raise NotFound."""
    unique_ids = deduplicate_ids(ids)
    lines: list[OrderLogLine] = []
    async with context.open_function(draw_order_log) as draw:
        for batch in split_batches(unique_ids):
            yield len(lines)
            async with context.open_work() as work:
                orders = await get_orders(work, batch)
                repository = work.build_repository(OrderRepository)
                tests = await repository.load_ordered_tests(orders)
                requisitions = await repository.load_in_scope(
                    Requisition, [order.requisition_id for order in orders]
                )
                facts = Facts(work)
                await facts.load(orders)
                toxicology = await work.build_repository(SettingRepository).load_group("toxicology")
                lines += [
                    _build_line(
                        order,
                        facts.build_client(order.client_id).name,
                        tests.get(order.id, ()),
                        requisitions.get(order.requisition_id),
                        toxicology.get("abnormalResult"),
                    )
                    for order in orders
                ]
        async with context.open_work() as work:
            lab, printed_at = await load_lab(work), get_lab_now(work.portal.settings.time_zone)
            await work.audit("print", "order", unique_ids, {"report": "log"})
        yield len(lines)
        yield await draw(OrderLog(lab, printed_at, tuple(lines)))


def _build_line(
    order: Order,
    client: str,
    tests: Sequence[tuple[str, str]],
    requisition: Requisition | None,
    label: str | None,
) -> OrderLogLine:
    alert = rules.AlertState(order.has_critical, order.has_unexpected_positive, label)
    room = " - ".join(part for part in (order.room_name, order.bed) if part)
    return OrderLogLine(
        code=order.code,
        status=LABELS[OrderStatus][OrderStatus(order.status)],
        collected=order.collection_date,
        received=order.received_at,
        reported=order.reported_at,
        patient=f"{order.patient_last_name}, {order.patient_first_name}",
        birth_date=order.patient_birth_date,
        client=client,
        place=", ".join(part for part in (order.unit_name, room) if part),
        tests=tuple(OrderedTest(code, name) for code, name in tests),
        is_signed=bool(requisition and requisition.has_signature),
        is_acknowledged=order.acknowledged_at is not None and not order.is_unread,
        alert=", ".join(rules.list_alert_badges(alert)),
    )
