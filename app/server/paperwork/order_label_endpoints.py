"""/api/labels/orders: the labels of an order's specimens (R 7)."""

from fastapi import Request

from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.work import open_work
from app.server.orders.service.read import get_order
from app.server.paperwork.schemas import LabelDpi, LabelRead, LabelSize
from app.server.paperwork.service import labels
from app.server.paperwork.service.report import build_report_context

router = build_router("/api/labels/orders", "paperwork")


@router.get("/{order_id}")
@allow(ALL_ROLES, transaction=False)
async def read_order_labels(
    order_id: int, request: Request, dpi: LabelDpi = "203", size: LabelSize = "2x1"
) -> list[LabelRead]:
    """The labels of the order's requisition, to show on the screen."""
    async with open_work(request) as work:
        order = await get_order(work, order_id)
    context = build_report_context(request)
    return await labels.render_labels(
        context, [order.requisition_id], labels.build_stock(dpi, size)
    )
