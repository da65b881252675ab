"""Labels of a requisition: one for each tube, one for the form (DECISIONS, 'labels')."""

import asyncio
import base64
from collections.abc import Sequence
from dataclasses import replace

from app.basics.errors import require_allowed
from app.contract.enumerations import Gender
from app.drawing.labels import Label, LabelContent, draw_labels
from app.drawing.pages import draw_labels_pdf
from app.server.access.work import Work
from app.server.catalog.repository import CatalogRepository
from app.server.catalog.tubes import NumberedTube, list_tubes
from app.server.clients.models import Client
from app.server.paperwork import rules
from app.server.paperwork.schemas import LabelRead
from app.server.paperwork.service.report import Desk
from app.server.paperwork.service.requisition_form import get_requisitions
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.rules import deduplicate_ids
from app.server.requisitions.service.needs import build_needs
from app.server.requisitions.states import build_state

_FEW = 5
"""Requisitions whose labels are drawn at once, without waiting for a turn."""
_FORM = "REQUISITION FORM"
_SEX = {Gender.FEMALE: "F", Gender.MALE: "M", Gender.UNKNOWN: "U"}


async def render_labels(desk: Desk, ids: list[int]) -> list[LabelRead]:
    """Render the labels of these requisitions as PNG, ZPL and EPL2, in the order of the ids.

    Drawing holds no transaction.

    Raises:
        NotFound: a requisition does not exist or is out of scope.
        RequisitionWithoutLabels: a requisition is canceled; the message names it.
    """
    if len(ids) <= _FEW:
        labels = await asyncio.to_thread(draw_labels, await _load(desk, ids))
    else:
        async with desk.open_function(draw_labels) as draw:
            labels = await draw(await _load(desk, ids))
    return [_build_label_read(label) for label in labels]


async def render_labels_pdf(desk: Desk, ids: list[int]) -> bytes:
    """Render the same labels as one PDF; raises the same errors as ``render_labels``."""
    async with desk.open_function(draw_labels) as draw:
        labels = await draw(await _load(desk, ids))
    async with desk.open_function(draw_labels_pdf) as draw_pdf:
        return await draw_pdf(labels)


async def _load(desk: Desk, ids: list[int]) -> list[LabelContent]:
    async with desk.open_work() as work:
        return await _load_contents(work, ids)


async def _load_contents(work: Work, ids: list[int]) -> list[LabelContent]:
    """Load what the labels say, and audit that they are printed."""
    records = await get_requisitions(work, ids)
    unique_ids = deduplicate_ids(ids)
    for requisition_id in unique_ids:
        require_allowed(rules.judge_labeling(work.actor, build_state(records[requisition_id])))
    repository = work.build_repository(RequisitionRepository)
    parts = await repository.load_parts(records.values())
    clients = await repository.find_many(
        Client, sorted({record.client_id for record in records.values()})
    )
    needs = {i: build_needs(parts[i]) for i in unique_ids}
    names = {need.container for i in unique_ids for need in needs[i]}
    volumes = await work.build_repository(CatalogRepository).load_container_volumes(names)
    contents = [
        content
        for i in unique_ids
        for content in _build_contents(
            records[i],
            list_tubes(needs[i], volumes),
            clients.get(records[i].client_id),
        )
    ]
    await work.audit("print-labels", "requisition", unique_ids, {"labels": len(contents)})
    return contents


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


def _build_label_read(label: Label) -> LabelRead:
    return LabelRead(
        title=label.title,
        image=base64.b64encode(label.png).decode(),
        zpl=label.zpl,
        epl=label.epl,
    )
