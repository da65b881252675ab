"""Labels of a requisition: one for each tube, one for the form (DECISIONS, 'labels')."""

import asyncio
import base64
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import ParamSpec, TypeVar

from app.basics.errors import require_allowed
from app.contract.enumerations import Gender
from app.drawing.labels import STANDARD_STOCK, Label, LabelContent, LabelStock, draw_labels
from app.drawing.pages import draw_labels_pdf
from app.server.access.work import Work
from app.server.catalog.repository import CatalogRepository
from app.server.catalog.tubes import NumberedTube, list_tubes
from app.server.clients.models import Client
from app.server.paperwork import rules
from app.server.paperwork.repository import LabelPrintRepository
from app.server.paperwork.schemas import LabelRead
from app.server.paperwork.service.report import ReportContext
from app.server.paperwork.service.requisition_form import get_requisitions
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.rules import deduplicate_ids
from app.server.requisitions.service.needs import build_needs
from app.server.requisitions.states import build_state

_IMMEDIATE_MAX = 5
"""Number of requisitions whose labels are drawn immediately, without waiting for a turn."""
_FORM = "REQUISITION FORM"
Drawn = TypeVar("Drawn")
Arguments = ParamSpec("Arguments")
_SEX = {Gender.FEMALE: "F", Gender.MALE: "M", Gender.UNKNOWN: "U"}


@dataclass(frozen=True)
class PlannedLabel:
    """A label to draw, its requisition, and its key among that requisition's labels."""

    requisition_id: int
    key: str
    content: LabelContent


def build_stock(dpi: str, size: str) -> LabelStock:
    """Build the stock of a printer from the wire's density and size."""
    width, _, height = size.partition("x")
    return LabelStock(float(width), float(height), int(dpi))


@asynccontextmanager
async def open_drawing(
    context: ReportContext, ids: Collection[int], draw: Callable[Arguments, Drawn]
) -> AsyncIterator[Callable[Arguments, Awaitable[Drawn]]]:
    """Yield ``draw``: in a thread for few requisitions, in a drawing process for many.

    Open it before loading or recording anything, so that a request without a turn has no effect.

    Raises:
        TooManyTries: the person already has several documents in progress.
    """
    if len(set(ids)) > _IMMEDIATE_MAX:
        async with context.open_function(draw) as draw_in_process:
            yield draw_in_process
    else:
        yield partial(asyncio.to_thread, draw)


async def render_labels(
    context: ReportContext, ids: list[int], stock: LabelStock = STANDARD_STOCK
) -> list[LabelRead]:
    """Render the labels of these requisitions as PNG, ZPL and EPL2, in the order of the ids.

    No transaction is open during drawing.

    Raises:
        NotFound: a requisition does not exist or is out of scope.
        RequisitionWithoutLabels: a requisition is canceled; the message names it.
        TooManyTries: the person already has several documents in progress.
    """
    async with open_drawing(context, ids, draw_labels) as draw:
        plan = await _load_plan(context, "read-labels", ids)
        return build_label_reads(plan, await draw(list_contents(plan), stock))


async def render_labels_pdf(context: ReportContext, ids: list[int]) -> bytes:
    """Render labels of these requisitions as one PDF; errors are those of ``render_labels``."""
    async with open_drawing(context, ids, draw_labels_pdf) as draw:
        plan = await _load_plan(context, "print-labels", ids)
        return await draw(list_contents(plan))


def list_contents(plan: Sequence[PlannedLabel]) -> list[LabelContent]:
    """List what the planned labels show."""
    return [label.content for label in plan]


def build_label_reads(plan: Sequence[PlannedLabel], labels: Sequence[Label]) -> list[LabelRead]:
    """Build the answer from planned labels and their drawings."""
    return [_build_label_read(*pair) for pair in zip(plan, labels, strict=True)]


async def plan_labels(work: Work, ids: list[int], job: str | None = None) -> list[PlannedLabel]:
    """Load the content of the labels, and which of them are copies of labels of other jobs.

    ``job`` is the print job itself, whose labels do not count as earlier ones.
    """
    records = await get_requisitions(work, ids)
    unique_ids = deduplicate_ids(ids)
    for requisition_id in unique_ids:
        require_allowed(rules.judge_labeling(work.actor, build_state(records[requisition_id])))
    repository = work.build_repository(RequisitionRepository)
    parts = await repository.load_parts(records.values())
    clients = await repository.load_in_scope(
        Client, sorted({record.client_id for record in records.values()})
    )
    needs = {i: build_needs(parts[i]) for i in unique_ids}
    names = {need.container for i in unique_ids for need in needs[i]}
    volumes = await work.build_repository(CatalogRepository).load_container_volumes(names)
    prints = await work.build_repository(LabelPrintRepository).list_by_requisitions(unique_ids)
    plan: list[PlannedLabel] = []
    for i in unique_ids:
        earlier_prints = [row for row in prints if row.requisition_id == i and row.job != job]
        contents = _build_contents(
            records[i], list_tubes(needs[i], volumes), clients.get(records[i].client_id)
        )
        keys = rules.number_keys(content.title for content in contents)
        plan += [
            PlannedLabel(i, key, replace(content, copy=rules.compute_copy(key, earlier_prints)))
            for key, content in zip(keys, contents, strict=True)
        ]
    return plan


async def _load_plan(context: ReportContext, action: str, ids: list[int]) -> list[PlannedLabel]:
    """Plan the labels and audit the action, in a transaction that ends before drawing."""
    async with context.open_work() as work:
        plan = await plan_labels(work, ids)
        await work.audit(action, "requisition", deduplicate_ids(ids), {"labels": len(plan)})
    return plan


def _build_contents(
    requisition: Requisition, tubes: Sequence[NumberedTube], client: Client | None
) -> list[LabelContent]:
    """Build the contents of a requisition's labels: one for each tube, then one for the form."""
    form = LabelContent(
        patient_name=f"{requisition.patient_last_name}, {requisition.patient_first_name}",
        birth_date=requisition.patient_birth_date,
        sex=_SEX[Gender(requisition.patient_gender)],
        code=requisition.code,
        collection=requisition.collection_date,
        client=client.name if client else "",
        container=_FORM,
        specimen="",
        number=None,
        count=len(tubes),
        title=_FORM,
        copy=1,
    )
    return [
        *(
            replace(
                form,
                container=tube.container,
                specimen=tube.specimen,
                number=tube.number,
                title=f"{tube.container} {tube.specimen}".strip(),
            )
            for tube in tubes
        ),
        form,
    ]


def _build_label_read(planned_label: PlannedLabel, label: Label) -> LabelRead:
    return LabelRead(
        requisition_id=planned_label.requisition_id,
        key=planned_label.key,
        copy_number=planned_label.content.copy,
        title=label.title,
        image=base64.b64encode(label.png).decode(),
        zpl=label.zpl,
        epl=label.epl,
    )
