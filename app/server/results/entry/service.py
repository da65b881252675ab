"""Builds what every family's result entry screen shows."""

from typing import Any

from app.server.access.schemas import Permission
from app.server.access.work import Work
from app.server.orders.rules import judge_entering, judge_releasing
from app.server.orders.service.status import build_state
from app.server.results.entry.loading import OrderEntry
from app.server.results.entry.schemas import EntryPatient


def build_header(work: Work, entry: OrderEntry) -> dict[str, Any]:
    """Build the values of ``EntryHeader`` from an order as loaded, or as it will be stored."""
    order, actor = entry.order, work.actor
    state = build_state(order)
    return {
        "order_id": order.id,
        "code_value": order.code,
        "version": order.version,
        "status": order.status,
        "client_name": entry.client_name,
        "collection_date": order.collection_date,
        "specimen_condition": order.specimen_condition,
        "awaits_collection": order.awaits_collection,
        "patient": EntryPatient(
            code=entry.patient_code,
            last_name=order.patient_last_name,
            first_name=order.patient_first_name,
            middle_name=order.patient_middle_name,
            birth_date=order.patient_birth_date,
            gender=order.patient_gender,
        ),
        "can_enter_results": Permission.of(judge_entering(actor, entry.flags, state)),
        "can_release": Permission.of(judge_releasing(actor, state)),
    }
