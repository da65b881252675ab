"""The result report as PDF (42 CFR 493.1291(c)); it shows released results only."""

import asyncio
from datetime import datetime

from app.basics.clock import lab_now
from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import LABELS, Fasting, OrderStatus, ResultFlag
from app.drawing.pages import Lab, OrderResultsPage, ResultLine, draw_order_results
from app.server.access.work import Work
from app.server.orders import rules
from app.server.orders.models import Order
from app.server.paperwork.service import facts
from app.server.requisitions.models import Requisition
from app.server.requisitions.rules import deduplicate_ids
from app.server.results.clinical.repository import ClinicalResultRepository, TestWithResult

_PENDING = "PENDING"


async def order_results(work: Work, ids: list[int]) -> bytes:
    """One PDF of these orders in this order; raises NotFound when one is not the actor's."""
    wanted = deduplicate_ids(ids)
    repository = work.repository(ClinicalResultRepository)
    records = await repository.many(Order, wanted)
    if len(records) != len(wanted):
        raise NotFound(messages.NOT_FOUND)
    lab = await facts.lab(work)
    printed = lab_now(work.portal.settings.time_zone)
    known = facts.Facts(work)
    await known.load(list(records.values()))
    pages = [await _page(known, repository, records[i], lab, printed) for i in wanted]
    await work.audit("print", "order-results", wanted)
    return await asyncio.to_thread(draw_order_results, pages)


async def _page(
    known: facts.Facts,
    repository: ClinicalResultRepository,
    order: Order,
    lab: Lab,
    printed: datetime,
) -> OrderResultsPage:
    tests = await repository.load_tests(order)
    requisition = await repository.one(Requisition, order.requisition_id)
    return OrderResultsPage(
        lab=lab,
        code=order.code,
        requisition_code=requisition.code if requisition else "",
        status=LABELS[OrderStatus][OrderStatus(order.status)],
        printed=printed,
        patient=known.patient(order),
        client=known.client(order.client_id),
        physician=known.doctor(order.physician_id),
        collected=order.collection_date,
        received=order.received_at,
        reported=order.reported_at,
        specimen_condition=order.specimen_condition,
        specimens=tuple(dict.fromkeys(t.test.specimen for t in tests if t.test.specimen)),
        fasting=LABELS[Fasting][Fasting(requisition.fasting)] if requisition else "",
        results=tuple(_line(target) for target in tests),
        comment=order.report_comment,
        alert=rules.ALERT_CRITICAL if order.has_critical else None,
    )


def _line(target: TestWithResult) -> ResultLine:
    released = target.released
    before = [v for v in target.versions if v.released_at is not None][:-1]
    return ResultLine(
        name=target.row.name,
        value=released.value if released else None,
        level=target.row.level,
        is_panel=target.row.is_panel,
        flag=ResultFlag(released.flag) if released and released.flag else None,
        unit=released.unit if released else target.test.unit,
        reference_range=released.reference_range if released else None,
        comments=tuple(text for text in (released.range_comment, released.comment) if text)
        if released
        else (),
        status="" if released else _PENDING,
        is_corrected=target.is_corrected,
        correction=before[-1].value if before else None,
    )
