"""Writes the comment on an order (R 2.2 'Order Comments'; ADR 97)."""

from app.basics.clock import get_lab_now
from app.basics.errors import require_allowed
from app.basics.text import clean_text
from app.contract.enumerations import Reopening
from app.server.access.work import Work
from app.server.orders import rules
from app.server.orders.models import OrderComment
from app.server.orders.repository import OrderRepository
from app.server.orders.schemas import CommentVersion, CommentWrite, OrderRead
from app.server.orders.service.read import get_order, read_order
from app.server.orders.service.status import build_state


async def list_comments(work: Work, order_id: int) -> list[CommentVersion]:
    """Return the comments that an order has had, newest first.

    Raises:
        NotFound.
    """
    order = await get_order(work, order_id)
    await work.audit("read", "order", [order.id])
    comments = await work.build_repository(OrderRepository).list_comments(order)
    return [
        CommentVersion(
            comment=comment.comment,
            written_at=comment.written_at,
            written_by=comment.user_name,
        )
        for comment in comments
    ]


async def write_comment(work: Work, order_id: int, body: CommentWrite) -> OrderRead:
    """Write, change, or remove the comment, which everybody who sees the order reads at once.

    After a release, people outside the lab have to acknowledge the order again.

    Raises:
        Forbidden, NotFound, StaleVersion.
        OrderReadOnly: the order is canceled.
    """
    order = await get_order(work, order_id, lock=True)
    require_allowed(rules.judge_releasing(work.actor, build_state(order)))
    work.require_version(order)
    comment = clean_text(body.comment)
    if comment == order.report_comment:
        return await read_order(work, order_id)
    assert work.actor.user_id is not None
    repository = work.build_repository(OrderRepository)
    now, was_reported = get_lab_now(work.portal.settings.time_zone), order.reported_at is not None
    order.report_comment = comment
    order.version += 1
    order.shown_version = order.version
    if was_reported:
        order.is_unread = order.is_unread_by_physician = True
        order.comment_changed_at, order.comment_changed_by = now, work.actor.name
        repository.reopen_acknowledgments(order, Reopening.COMMENT, now)
    await repository.insert(
        OrderComment(
            order_id=order.id,
            user_id=work.actor.user_id,
            user_name=work.actor.name,
            comment=comment,
            was_reported=was_reported,
            written_at=now,
        )
    )
    action = "comment" if comment else "remove-comment"
    await work.audit(action, "order", [order.id], {"afterRelease": was_reported})
    return await read_order(work, order_id)
