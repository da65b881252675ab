"""The result report as PDF (42 CFR 493.1291(c)), with released results, and its preview."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from app.basics.clock import get_lab_now
from app.basics.dates import format_timestamp
from app.basics.errors import NotFound, require_allowed
from app.contract import messages
from app.contract.enumerations import (
    LABELS,
    Fasting,
    OrderStatus,
    ResultKind,
    ToxicologyVerdict,
)
from app.drawing.pages import Lab, OrderResultsPage, OrderResultsPdf, ResultLine
from app.server.access.work import Work
from app.server.orders import rules
from app.server.orders.models import Order
from app.server.orders.repository import OrderRepository
from app.server.orders.schemas import AddedTestRead, CancellationReason
from app.server.orders.service.read import load_additions, load_cancellations
from app.server.paperwork.rules import judge_previewing
from app.server.paperwork.service.clinical_lines import (
    CorrectionWords,
    build_clinical_lines,
    load_correction_words,
)
from app.server.paperwork.service.culture_lines import build_culture_lines
from app.server.paperwork.service.facts import Facts, load_lab
from app.server.paperwork.service.pathology_lines import build_pathology_lines
from app.server.paperwork.service.report import ReportContext, ReportSteps, render_batches
from app.server.paperwork.service.toxicology_lines import build_toxicology_lines
from app.server.requisitions.models import Requisition
from app.server.requisitions.rules import deduplicate_ids
from app.server.results.clinical.repository import ClinicalResultRepository, TestWithResult
from app.server.results.microbiology.schemas import MicrobiologyResult
from app.server.results.microbiology.service import read as microbiology
from app.server.results.pathology.schemas import PathologyResult
from app.server.results.pathology.service import read as pathology
from app.server.results.toxicology.service import read as toxicology

_CANCELED = "CANCELED"
_CORRECTED = "CORRECTED"
_PRELIMINARY = "PRELIMINARY"


async def get_orders(work: Work, ids: Sequence[int]) -> list[Order]:
    """Return these orders in the order of the ids, or raise NotFound."""
    unique_ids = deduplicate_ids(list(ids))
    records = await work.build_repository(OrderRepository).load_orders(unique_ids)
    if len(records) != len(unique_ids):
        raise NotFound(messages.NOT_FOUND)
    return [records[i] for i in unique_ids]


def render_order_results(
    context: ReportContext, ids: list[int], *, is_preview: bool = False
) -> ReportSteps:
    """Render one PDF of these orders, in the order of the ids, or raise NotFound.

    Each batch is loaded in a separate transaction, and none is open during drawing. A preview shows
    what is entered, and says on each page that it is not released.
    """
    unique_ids = deduplicate_ids(ids)
    action = "preview" if is_preview else "print"
    return render_batches(
        context,
        OrderResultsPdf,
        format_title(len(unique_ids)),
        unique_ids,
        partial(build_pages, is_preview=is_preview),
        lambda work, read_at: work.audit(
            action, "order-results", unique_ids, {"readAt": read_at.isoformat()}
        ),
    )


def format_title(count: int) -> str:
    """Return the title of a document with the reports of ``count`` orders."""
    return "Laboratory report" if count == 1 else "Laboratory reports"


async def build_pages(
    work: Work, ids: Sequence[int], *, is_preview: bool = False
) -> list[OrderResultsPage]:
    """Build the pages of these orders, in the order of the ids.

    The number of statements does not depend on the number of orders.

    Raises:
        Forbidden: the actor may not see a preview.
        NotFound: an order does not exist.
    """
    if is_preview:
        require_allowed(judge_previewing(work.actor))
    orders = await get_orders(work, ids)
    facts = Facts(work)
    await facts.load(orders)
    parts = await _load_parts(work, orders, is_preview=is_preview)
    lab = await load_lab(work)
    builder = _PageBuilder(work, facts, lab, parts, is_preview=is_preview)
    return [builder.build(order) for order in orders]


@dataclass(frozen=True)
class _Parts:
    """The texts of a batch's pages besides the facts, by order id.

    Attributes:
        tests: tests of every family.
        label: the lab's word for an unexpected positive.
    """

    requisitions: Mapping[int, Requisition]
    tests: Mapping[int, Sequence[TestWithResult]]
    words: CorrectionWords
    cultures: Mapping[int, Sequence[MicrobiologyResult]]
    toxicology: Mapping[int, toxicology.ToxicologyResults]
    pathology: Mapping[int, Sequence[PathologyResult]]
    cancellations: Mapping[int, Sequence[CancellationReason]]
    additions: Mapping[int, Sequence[AddedTestRead]]
    label: str


async def _load_parts(work: Work, orders: Sequence[Order], *, is_preview: bool) -> _Parts:
    repository = work.build_repository(ClinicalResultRepository)
    ids = [order.id for order in orders]
    requisitions = await repository.load_in_scope(Requisition, [o.requisition_id for o in orders])
    tests = await repository.load_tests_of_many(ids)
    clinical_tests = [
        test
        for order_tests in tests.values()
        for test in order_tests
        if test.row.kind == ResultKind.CLINICAL
    ]
    by_kind = {
        kind: [o for o in orders if any(t.row.kind == kind for t in tests.get(o.id, ()))]
        for kind in ResultKind
    }
    culture_orders = by_kind[ResultKind.MICROBIOLOGY]
    toxicology_ids = [order.id for order in by_kind[ResultKind.TOXICOLOGY]]
    pathology_orders = by_kind[ResultKind.PATHOLOGY]
    load_toxicology = toxicology.preview_results if is_preview else toxicology.load_results
    return _Parts(
        requisitions=requisitions,
        tests=tests,
        words=await load_correction_words(work, clinical_tests, is_preview=is_preview),
        cultures=await microbiology.load_results(work, culture_orders, is_lab=is_preview)
        if culture_orders
        else {},
        toxicology=await load_toxicology(work, toxicology_ids) if toxicology_ids else {},
        pathology=await pathology.load_results(work, pathology_orders, is_lab=is_preview)
        if pathology_orders
        else {},
        cancellations=await load_cancellations(work, ids),
        additions=await load_additions(work, ids),
        label=(await toxicology.read_settings(work)).abnormal_result
        if any(o.has_unexpected_positive for o in orders)
        else "",
    )


class _PageBuilder:
    """Builds the pages of a batch, whose parts are loaded."""

    def __init__(
        self, work: Work, facts: Facts, lab: Lab, parts: _Parts, *, is_preview: bool
    ) -> None:
        self._facts = facts
        self._lab = lab
        self._parts = parts
        self._is_preview = is_preview
        self._is_named = work.actor.sees_user_names
        self._printed: datetime = get_lab_now(work.portal.settings.time_zone)

    def build(self, order: Order) -> OrderResultsPage:
        """Build the page of an order."""
        facts, parts = self._facts, self._parts
        requisition = parts.requisitions.get(order.requisition_id)
        tests = parts.tests.get(order.id, ())
        lines = (*self._build_clinical_lines(tests), *self._build_family_lines(order.id))
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
                _format_cancellation(reason) for reason in parts.cancellations.get(order.id, ())
            ),
            additions=tuple(
                _format_addition(addition) for addition in parts.additions.get(order.id, ())
            ),
            comment=order.report_comment,
            comment_note=self._describe_comment_change(order),
            alerts=tuple(self._list_alerts(order)),
            watermark=messages.REPORT_PREVIEW if self._is_preview else "",
        )

    def _build_clinical_lines(self, tests: Sequence[TestWithResult]) -> tuple[ResultLine, ...]:
        clinical_tests = [test for test in tests if test.row.kind == ResultKind.CLINICAL]
        words, lab_name = self._parts.words, self._lab.name
        return build_clinical_lines(clinical_tests, words, lab_name, is_preview=self._is_preview)

    def _build_family_lines(self, order_id: int) -> Iterator[ResultLine]:
        """Build the lines of the families that the order has, in the order of their tabs."""
        parts, is_preview, is_named = self._parts, self._is_preview, self._is_named
        if order_id in parts.cultures:
            cultures = parts.cultures[order_id]
            yield from build_culture_lines(cultures, is_preview=is_preview, is_named=is_named)
        if order_id in parts.toxicology:
            results = parts.toxicology[order_id]
            yield from build_toxicology_lines(results, is_preview=is_preview, is_named=is_named)
        if order_id in parts.pathology:
            yield from build_pathology_lines(parts.pathology[order_id], is_named=is_named)

    def _describe_comment_change(self, order: Order) -> str:
        """Return when and by whom the comment was changed after a release, if it was."""
        if order.comment_changed_at is None or not order.report_comment:
            return ""
        at = format_timestamp(order.comment_changed_at)
        if self._is_named:
            return messages.ORDER_COMMENT_CHANGED_BY.format(at=at, person=order.comment_changed_by)
        return messages.ORDER_COMMENT_CHANGED.format(at=at)

    def _list_alerts(self, order: Order) -> Iterator[tuple[str, str]]:
        if order.has_critical:
            yield rules.ALERT_CRITICAL, messages.REPORT_ALERT_CRITICAL
        if order.has_unexpected_positive:
            words = LABELS[ToxicologyVerdict][ToxicologyVerdict.UNEXPECTED_POSITIVE]
            yield self._parts.label, f"{words}."


def _describe_status(order: Order, lines: Sequence[ResultLine]) -> str:
    """Return the status as the report names it, and whether a result was corrected."""
    status = OrderStatus(order.status)
    word = _PRELIMINARY if status is OrderStatus.PRELIMINARY else LABELS[OrderStatus][status]
    return f"{word}, {_CORRECTED}" if any(line.is_corrected for line in lines) else word


def _format_addition(addition: AddedTestRead) -> str:
    name = f"{addition.name} ({_CANCELED})" if addition.is_canceled else addition.name
    return f"{name}: {addition.because} (added {format_timestamp(addition.added_at)})"


def _format_cancellation(reason: CancellationReason) -> str:
    why = ", ".join(text for text in (reason.name, reason.words) if text)
    return f"{', '.join(reason.tests)}: {why} ({format_timestamp(reason.canceled_at)})"
