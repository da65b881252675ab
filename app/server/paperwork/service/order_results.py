"""The result report as PDF (42 CFR 493.1291(c)), with released results only."""

import asyncio
from collections.abc import Collection, Iterator
from datetime import datetime

from app.basics.clock import get_lab_now
from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import (
    LABELS,
    Fasting,
    OrderStatus,
    ResultFlag,
    ResultKind,
    ResultStatus,
    Withholding,
)
from app.drawing.pages import Lab, OrderResultsPage, ResultLine, draw_order_results
from app.server.access.work import Work
from app.server.orders import rules
from app.server.orders.models import Order
from app.server.orders.schemas import CancellationReason
from app.server.orders.service.read import list_cancellations
from app.server.paperwork.service.culture_lines import build_culture_lines
from app.server.paperwork.service.facts import Facts, load_lab
from app.server.paperwork.service.pathology_lines import build_pathology_lines
from app.server.paperwork.service.toxicology_lines import build_toxicology_lines
from app.server.requisitions.models import Requisition
from app.server.requisitions.rules import deduplicate_ids
from app.server.results.clinical.formulas import find_title
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import (
    ClinicalResultRepository,
    TestWithResult,
    find_withholding,
)
from app.server.results.microbiology.service import read as microbiology
from app.server.results.pathology.service import read as pathology
from app.server.results.toxicology.service import read as toxicology

_PENDING = "PENDING"
_CANCELED = "CANCELED"
_WITHHELD = {Withholding.REVIEW: "UNDER REVIEW", Withholding.WITHDRAWN: "WITHDRAWN"}


async def render_order_results(work: Work, ids: list[int]) -> bytes:
    """Render one PDF of these orders, in the order of the ids; raises NotFound."""
    unique_ids = deduplicate_ids(ids)
    repository = work.build_repository(ClinicalResultRepository)
    records = await repository.find_many(Order, unique_ids)
    if len(records) != len(unique_ids):
        raise NotFound(messages.NOT_FOUND)
    lab = await load_lab(work)
    printed = get_lab_now(work.portal.settings.time_zone)
    facts = Facts(work)
    await facts.load(list(records.values()))
    pages = [await _build_page(work, facts, records[i], lab, printed) for i in unique_ids]
    await work.audit("print", "order-results", unique_ids)
    return await asyncio.to_thread(draw_order_results, pages)


async def _build_page(
    work: Work,
    facts: Facts,
    order: Order,
    lab: Lab,
    printed: datetime,
) -> OrderResultsPage:
    repository = work.build_repository(ClinicalResultRepository)
    tests = await repository.load_tests(order)
    kinds = {test.row.kind for test in tests}
    clinical = [test for test in tests if test.row.kind == ResultKind.CLINICAL]
    requisition = await repository.find_one(Requisition, order.requisition_id)
    return OrderResultsPage(
        lab=lab,
        code=order.code,
        requisition_code=requisition.code if requisition else "",
        status=LABELS[OrderStatus][OrderStatus(order.status)],
        printed=printed,
        patient=facts.build_patient(order),
        client=facts.build_client(order.client_id),
        physician=facts.build_physician(order.physician_id),
        collected=order.collection_date,
        received=order.received_at,
        reported=order.reported_at,
        specimen_condition=order.specimen_condition,
        specimens=tuple(dict.fromkeys(t.test.specimen for t in tests if t.test.specimen)),
        fasting=LABELS[Fasting][Fasting(requisition.fasting)] if requisition else "",
        results=(
            *(_build_line(test) for test in clinical),
            *await _build_family_lines(work, order, kinds),
        ),
        cancellations=tuple(
            _format_cancellation(reason) for reason in await list_cancellations(work, order.id)
        ),
        comment=order.report_comment,
        alert=rules.ALERT_CRITICAL if order.has_critical else None,
    )


async def _build_family_lines(work: Work, order: Order, kinds: Collection[str]) -> list[ResultLine]:
    """Build the lines of the families that the order has, in the order of their tabs."""
    lines: list[ResultLine] = []
    if ResultKind.MICROBIOLOGY in kinds:
        lines += build_culture_lines(await microbiology.list_results(work, order, is_lab=False))
    if ResultKind.TOXICOLOGY in kinds:
        lines += build_toxicology_lines(await toxicology.load_results(work, order))
    if ResultKind.PATHOLOGY in kinds:
        lines += build_pathology_lines(await pathology.list_results(work, order, is_lab=False))
    return lines


def _format_cancellation(reason: CancellationReason) -> str:
    why = ", ".join(each for each in (reason.name, reason.words) if each)
    return f"{', '.join(reason.tests)}: {why} ({reason.canceled_at:%m/%d/%Y %H:%M})"


def _describe_missing(test: TestWithResult) -> str:
    """Say why a test has no value: canceled, without a specimen, withheld, or pending."""
    if test.row.status == ResultStatus.CANCELED:
        return _CANCELED
    if test.row.needs_specimen:
        return messages.SPECIMEN_NEEDED
    withholding = find_withholding(test)
    return _PENDING if withholding is None else _WITHHELD[withholding]


def _list_comments(released: Result) -> Iterator[str]:
    title = find_title(released.formula)
    if title:
        yield f"Calculated: {title}"
    yield from (text for text in (released.range_comment, released.comment) if text)


def _build_line(test: TestWithResult) -> ResultLine:
    released = test.released
    earlier = [v for v in test.versions if v.released_at is not None and v.withheld is None][:-1]
    return ResultLine(
        name=test.row.name,
        value=released.value if released else None,
        level=test.row.level,
        is_panel=test.row.is_panel,
        flag=ResultFlag(released.flag) if released and released.flag else None,
        unit=released.unit if released else test.test.unit,
        reference_range=released.reference_range if released else None,
        comments=tuple(_list_comments(released)) if released else (),
        status="" if released else _describe_missing(test),
        is_corrected=test.is_corrected,
        correction=earlier[-1].value if earlier else None,
    )
