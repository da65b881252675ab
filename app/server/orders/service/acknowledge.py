"""Acknowledges orders (R 7; DECISIONS, Results)."""

from collections.abc import Mapping, Sequence

from app.basics.clock import get_lab_now
from app.basics.errors import NotFound, require_allowed
from app.contract import messages
from app.contract.enumerations import Role
from app.server.access.work import Work
from app.server.orders import rules
from app.server.orders.models import Order
from app.server.orders.repository import OrderRepository
from app.server.orders.schemas import AcknowledgedOrder, AcknowledgedOrders
from app.server.orders.service.status import build_state
from app.server.orders.service.versions import reject_stale_orders
from app.server.requisitions.rules import deduplicate_ids


async def acknowledge_orders(
    work: Work, ids: Sequence[int], versions: Mapping[int, int]
) -> AcknowledgedOrders:
    """Acknowledge the results of these orders, all or none.

    ``versions`` are those that the actor has seen. If results are released while this runs, the
    order stays unread.

    Raises:
        NotFound: an order does not exist or is out of scope.
        NothingToAcknowledge: an order has no released results; the message names it.
        StaleVersion: the results of orders have changed since they were shown; each such order has
            a field error.
    """
    ids = deduplicate_ids(ids)
    repository = work.build_repository(OrderRepository)
    orders = await repository.load_orders(ids)
    if len(orders) != len(ids):
        raise NotFound(messages.NOT_FOUND)
    chosen_orders = [orders[i] for i in ids]
    for order in chosen_orders:
        require_allowed(rules.judge_acknowledging(work.actor, build_state(order)))
    _require_current_versions(chosen_orders, versions)
    now = get_lab_now(work.portal.settings.time_zone)
    repository.create_acknowledgments(
        [
            {
                "order_id": order.id,
                "user_id": work.actor.user_id,
                "user_name": work.actor.name,
                "by_physician": work.actor.role is Role.PHYSICIAN,
                "version": versions.get(order.id, order.version),
                "acknowledged_at": now,
            }
            for order in chosen_orders
        ]
    )
    await work.audit("acknowledge", "order", ids)
    return AcknowledgedOrders(
        data=[
            AcknowledgedOrder(id=i, online_ack_user=work.actor.name, online_ack_date_time=now)
            for i in ids
        ]
    )


def _require_current_versions(orders: Sequence[Order], versions: Mapping[int, int]) -> None:
    # Nobody can have seen a version that does not exist yet. It would also count as newer than a
    # release that happens meanwhile.
    stale_orders = [
        order
        for order in orders
        if not order.shown_version <= versions.get(order.id, order.version) <= order.version
    ]
    reject_stale_orders(
        stale_orders, messages.ORDER_RESULTS_CHANGED, messages.ORDERS_RESULTS_CHANGED
    )
