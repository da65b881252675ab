"""The result report as PDF (42 CFR 493.1291(c)), with released results only, and its preview."""

import asyncio
from collections.abc import Collection, Sequence
from datetime import datetime

from app.basics.clock import get_lab_now
from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import (
    LABELS,
    Fasting,
    OrderStatus,
    ResultKind,
    ToxicologyVerdict,
)
from app.drawing.pages import Lab, OrderResultsPage, ResultLine, draw_order_results
from app.server.access.work import Work
from app.server.lab_settings.repository import SettingRepository
from app.server.orders import rules
from app.server.orders.models import Order
from app.server.orders.repository import OrderRepository
from app.server.orders.schemas import CancellationReason
from app.server.orders.service.read import list_cancellations
from app.server.paperwork.service.clinical_lines import build_clinical_lines
from app.server.paperwork.service.culture_lines import build_culture_lines
from app.server.paperwork.service.facts import Facts, load_lab
from app.server.paperwork.service.pathology_lines import build_pathology_lines
from app.server.paperwork.service.report import OpenWork, ReportSteps, split_batches
from app.server.paperwork.service.toxicology_lines import build_toxicology_lines
from app.server.requisitions.models import Requisition
from app.server.requisitions.rules import deduplicate_ids
from app.server.results.clinical.repository import ClinicalResultRepository
from app.server.results.microbiology.service import read as microbiology
from app.server.results.pathology.service import read as pathology
from app.server.results.toxicology.service import read as toxicology

_CORRECTED = "CORRECTED"
_PRELIMINARY = "PRELIMINARY"


async def get_orders(work: Work, ids: Sequence[int]) -> list[Order]:
    """Return these orders in the order of the ids, or raise NotFound."""
    unique_ids = deduplicate_ids(list(ids))
    records = await work.build_repository(OrderRepository).load_orders(unique_ids)
    if len(records) != len(unique_ids):
        raise NotFound(messages.NOT_FOUND)
    return [records[i] for i in unique_ids]


async def render_order_results(
    open_work: OpenWork, ids: list[int], *, is_preview: bool = False
) -> ReportSteps:
    """Render one PDF of these orders, in the order of the ids; raises NotFound.

    Each batch is loaded in a transaction of its own, and drawing holds none. A preview shows what
    is entered, and says on each page that it is not released.
    """
    unique_ids = deduplicate_ids(ids)
    pages: list[OrderResultsPage] = []
    for batch in split_batches(unique_ids):
        yield len(pages)
        async with open_work() as work:
            pages += await build_pages(work, batch, is_preview=is_preview)
    async with open_work() as work:
        await work.audit("preview" if is_preview else "print", "order-results", unique_ids)
    yield len(pages)
    yield await asyncio.to_thread(draw_order_results, pages)


async def build_pages(
    work: Work, ids: Sequence[int], *, is_preview: bool = False
) -> list[OrderResultsPage]:
    """Build the pages of these orders, in the order of the ids; raises NotFound."""
    orders = await get_orders(work, ids)
    facts = Facts(work)
    await facts.load(orders)
    builder = _PageBuilder(work, facts, await load_lab(work), is_preview=is_preview)
    return [await builder.build(order) for order in orders]


class _PageBuilder:
    """Builds pages that share the lab, its settings, and the time of printing."""

    def __init__(self, work: Work, facts: Facts, lab: Lab, *, is_preview: bool) -> None:
        self._work = work
        self._facts = facts
        self._lab = lab
        self._is_preview = is_preview
        self._printed: datetime = get_lab_now(work.portal.settings.time_zone)

    async def build(self, order: Order) -> OrderResultsPage:
        """Build the page of an order."""
        work, facts = self._work, self._facts
        repository = work.build_repository(ClinicalResultRepository)
        tests = await repository.load_tests(order)
        requisition = await repository.find_one(Requisition, order.requisition_id)
        clinical = await build_clinical_lines(
            work,
            [test for test in tests if test.row.kind == ResultKind.CLINICAL],
            self._lab.name,
            is_preview=self._is_preview,
        )
        lines = (*clinical, *await self._build_family_lines(order, {t.row.kind for t in tests}))
        return OrderResultsPage(
            lab=self._lab,
            code=order.code,
            requisition_code=requisition.code if requisition else "",
            status=_describe_status(order, lines),
            printed=self._printed,
            patient=facts.build_patient(order),
            client=facts.build_client(order.client_id),
            physician=facts.build_physician(order.physician_id),
            collected=order.collection_date,
            received=order.received_at,
            reported=order.reported_at,
            specimen_condition=order.specimen_condition,
            specimens=tuple(dict.fromkeys(t.test.specimen for t in tests if t.test.specimen)),
            fasting=LABELS[Fasting][Fasting(requisition.fasting)] if requisition else "",
            results=lines,
            cancellations=tuple(
                _format_cancellation(reason) for reason in await list_cancellations(work, order.id)
            ),
            comment=order.report_comment,
            alerts=await self._list_alerts(order),
            watermark=messages.REPORT_PREVIEW if self._is_preview else "",
        )

    async def _build_family_lines(self, order: Order, kinds: Collection[str]) -> list[ResultLine]:
        """Build the lines of the families that the order has, in the order of their tabs."""
        work, is_preview = self._work, self._is_preview
        lines: list[ResultLine] = []
        if ResultKind.MICROBIOLOGY in kinds:
            cultures = await microbiology.list_results(work, order, is_lab=is_preview)
            lines += build_culture_lines(cultures, is_preview=is_preview)
        if ResultKind.TOXICOLOGY in kinds:
            results = (
                await toxicology.preview_results(work, order.id)
                if is_preview
                else await toxicology.load_results(work, order)
            )
            lines += build_toxicology_lines(results, is_preview=is_preview)
        if ResultKind.PATHOLOGY in kinds:
            reports = await pathology.list_results(work, order, is_lab=is_preview)
            lines += build_pathology_lines(reports)
        return lines

    async def _list_alerts(self, order: Order) -> tuple[tuple[str, str], ...]:
        alerts = []
        if order.has_critical:
            alerts.append((rules.ALERT_CRITICAL, messages.REPORT_ALERT_CRITICAL))
        if order.has_unexpected_positive:
            settings = await self._work.build_repository(SettingRepository).load_group("toxicology")
            label = settings.get("abnormalResult") or rules.ABNORMAL_RESULT
            unexpected = LABELS[ToxicologyVerdict][ToxicologyVerdict.UNEXPECTED_POSITIVE]
            alerts.append((label, f"{unexpected}."))
        return tuple(alerts)


def _describe_status(order: Order, lines: Sequence[ResultLine]) -> str:
    """Return the status as the report names it, and whether a result was corrected."""
    status = OrderStatus(order.status)
    word = _PRELIMINARY if status is OrderStatus.PRELIMINARY else LABELS[OrderStatus][status]
    return f"{word}, {_CORRECTED}" if any(line.is_corrected for line in lines) else word


def _format_cancellation(reason: CancellationReason) -> str:
    why = ", ".join(each for each in (reason.name, reason.words) if each)
    return f"{', '.join(reason.tests)}: {why} ({reason.canceled_at:%m/%d/%Y %H:%M})"
