"""Builds the notes about changes to an order's billing."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from app.basics.clock import get_lab_now
from app.server.access.work import Work
from app.server.orders.completeness import BillingState, find_missing_parts


def build_completion(
    work: Work,
    order_id: int,
    parts: Sequence[str],
    state: BillingState,
    *,
    physician_id: int | None,
    comment: str | None,
    was_signed: bool,
    birth_date: date | None = None,
) -> dict[str, Any]:
    """Build the row that notes who changed these parts, and what the order lacks in ``state``.

    The values are those after the change; a trigger stores them with the order. ``birth_date``
    replaces only an empty one.
    """
    return {
        "order_id": order_id,
        "user_id": work.actor.user_id,
        "user_name": work.actor.name,
        "parts": list(parts),
        "was_signed": was_signed,
        "physician_id": physician_id,
        "comment": comment,
        "birth_date": birth_date,
        "lacks_info": bool(find_missing_parts(state)),
        "completed_at": get_lab_now(work.portal.settings.time_zone),
    }
