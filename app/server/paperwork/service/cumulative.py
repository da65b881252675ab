"""The cumulative report of selected results as PDF (R 7), with released results only."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from app.basics.clock import get_lab_now
from app.contract import messages
from app.contract.enumerations import ResultKind, ToxicologyVerdict
from app.drawing.pages import (
    CumulativeCell,
    CumulativeColumn,
    CumulativeLine,
    CumulativePage,
    CumulativeSection,
    draw_cumulative_results,
)
from app.server.access.work import Work
from app.server.orders.models import Order
from app.server.orders.repository import OrderRepository
from app.server.paperwork.service.facts import Facts, load_lab
from app.server.paperwork.service.report import ReportContext
from app.server.requisitions.rules import deduplicate_ids
from app.server.results.cumulative.rules import Row, arrange_rows
from app.server.results.cumulative.schemas import (
    CumulativeClinicalResult,
    CumulativeMicrobiologyResult,
    CumulativeOrder,
    CumulativeResult,
    CumulativeToxicologyResult,
)
from app.server.results.cumulative.service import SelectedOrders, load_selected_orders

_UNEXPECTED_MARKS = {
    ToxicologyVerdict.UNEXPECTED_POSITIVE: "unexpected: not reported",
    ToxicologyVerdict.UNEXPECTED_NEGATIVE: "unexpected: reported, not detected",
}


async def render_cumulative_results(context: ReportContext, ids: list[int]) -> bytes:
    """Render one PDF of these results, by the ids of the orders' tests, or raise NotFound.

    Each patient begins a new page. No transaction is open during drawing.
    """
    async with context.open_function(draw_cumulative_results) as draw:
        async with context.open_work() as work:
            pages = await _load_pages(work, ids)
        return await draw(pages)


async def _load_pages(work: Work, ids: list[int]) -> list[CumulativePage]:
    """Load the pages, and audit that they are printed."""
    selected_orders = await load_selected_orders(work, deduplicate_ids(ids))
    order_ids = sorted({order.id for orders in selected_orders.values() for order in orders})
    records = await work.build_repository(OrderRepository).load_orders(order_ids)
    facts = Facts(work)
    await facts.load(list(records.values()))
    lab, printed_at = await load_lab(work), get_lab_now(work.portal.settings.time_zone)
    pages = [
        CumulativePage(
            lab=lab,
            printed=printed_at,
            # The newest order has the newest name.
            patient=facts.build_patient(max(orders, key=lambda order: order.collection_date)),
            sections=_build_sections(selected_orders, {order.id for order in orders}),
        )
        for orders in _group_by_patient(records.values())
    ]
    await work.audit("print", "order-results", order_ids, {"report": "cumulative"})
    return pages


def _group_by_patient(orders: Iterable[Order]) -> list[list[Order]]:
    groups: dict[int, list[Order]] = {}
    for order in orders:
        groups.setdefault(order.patient_id, []).append(order)
    return list(groups.values())


def _build_sections(
    selected_orders: SelectedOrders, order_ids: set[int]
) -> tuple[CumulativeSection, ...]:
    chosen_orders = {
        kind: [order for order in orders if order.id in order_ids]
        for kind, orders in selected_orders.items()
    }
    return tuple(_build_section(kind, orders) for kind, orders in chosen_orders.items() if orders)


def _build_section(
    kind: ResultKind, orders: Sequence[CumulativeOrder[CumulativeResult]]
) -> CumulativeSection:
    build_line = _LINES[kind]
    rows = arrange_rows([[(r.series, r) for r in order.results] for order in orders])
    return CumulativeSection(
        title=kind.value.capitalize(),
        columns=tuple(CumulativeColumn(o.date, o.code, o.client) for o in orders),
        lines=tuple(build_line(row) for row in rows),
    )


def _build_clinical_line(row: Row[CumulativeClinicalResult]) -> CumulativeLine:
    newest = row.newest

    def build_cell(result: CumulativeClinicalResult) -> CumulativeCell:
        notes = [
            "corrected" if result.is_corrected else "",
            f"range {result.reference_range or 'none'}"
            if result.reference_range != newest.reference_range
            else "",
            result.comment or "",
        ]
        return CumulativeCell(
            result.result or "",
            result.flag,
            result.is_abnormal,
            result.is_critical,
            tuple(note for note in notes if note),
        )

    return CumulativeLine(
        name=newest.name,
        about=_join_parts(newest.unit, newest.method),
        reference_range=newest.reference_range
        or (messages.RESULT_NO_RANGE if newest.number is not None else ""),
        cells=tuple(build_cell(cell) if cell else None for cell in row.cells),
    )


def _build_toxicology_line(row: Row[CumulativeToxicologyResult]) -> CumulativeLine:
    newest = row.newest

    def build_cell(result: CumulativeToxicologyResult) -> CumulativeCell:
        notes = [
            "corrected" if result.is_corrected else "",
            f"cut-off {_format_cut_off(result)}" if result.cut_off != newest.cut_off else "",
            _UNEXPECTED_MARKS.get(result.verdict, "") if result.verdict else "",
            result.specimen_fault or "",
            result.comment or "",
        ]
        return CumulativeCell(
            result.result or "",
            is_abnormal=result.is_abnormal,
            is_critical=result.is_critical,
            notes=tuple(note for note in notes if note),
        )

    return CumulativeLine(
        name=newest.name,
        about=newest.unit or "",
        reference_range=f"Cut-off {_format_cut_off(newest)}" if newest.cut_off else "",
        cells=tuple(build_cell(cell) if cell else None for cell in row.cells),
    )


def _format_cut_off(result: CumulativeToxicologyResult) -> str:
    return "none" if result.cut_off is None else f"{result.cut_off:g}"


def _build_culture_line(row: Row[CumulativeMicrobiologyResult]) -> CumulativeLine:
    newest = row.newest
    return CumulativeLine(
        name=newest.name,
        about=_join_parts(newest.source, newest.collection_site),
        reference_range="",
        cells=tuple(_build_culture_cell(cell) if cell else None for cell in row.cells),
    )


def _build_culture_cell(result: CumulativeMicrobiologyResult) -> CumulativeCell:
    organisms = [
        _join_parts(f"{o.name} ({o.mark})" if o.mark else o.name, o.culture_quantity_name)
        for o in result.organisms
    ]
    statements = [*([result.result] if result.result else []), *result.findings, *organisms]
    notes = [
        "PRELIMINARY" if result.is_preliminary else "",
        "corrected" if result.is_corrected else "",
        result.comment or "",
    ]
    return CumulativeCell(
        "\n".join(statements),
        is_abnormal=result.is_abnormal or result.is_critical,
        is_critical=result.is_critical,
        notes=tuple(note for note in notes if note),
    )


def _join_parts(*parts: str | None) -> str:
    return ", ".join(part for part in parts if part)


_LINES: Mapping[ResultKind, Callable[[Row[Any]], CumulativeLine]] = {
    ResultKind.CLINICAL: _build_clinical_line,
    ResultKind.MICROBIOLOGY: _build_culture_line,
    ResultKind.TOXICOLOGY: _build_toxicology_line,
}
