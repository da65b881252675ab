"""The labels of a requisition: one per container, then one for the form (DECISIONS, 'labels')."""

import asyncio
import base64

from app.drawing.labels import Label, LabelContent, draw_label
from app.drawing.pages import draw_labels_pdf
from app.server.access.work import Work
from app.server.clients.models import Client
from app.server.paperwork.schemas import LabelRead
from app.server.paperwork.service.requisition_form import all_there
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import Parts, RequisitionRepository
from app.server.requisitions.rules import deduplicate_ids

_FORM = "REQUISITION FORM"


async def labels(work: Work, ids: list[int]) -> list[LabelRead]:
    """The labels of these requisitions as picture, ZPL and EPL2, in the order of the ids.

    Raises:
        NotFound: one is not the actor's.
    """
    return [_read(label) for label in await _drawn(work, ids)]


async def labels_document(work: Work, ids: list[int]) -> bytes:
    """The same labels as one PDF; raises as ``labels`` does."""
    return await asyncio.to_thread(draw_labels_pdf, await _drawn(work, ids))


async def _drawn(work: Work, ids: list[int]) -> list[Label]:
    records = await all_there(work, ids)
    wanted = deduplicate_ids(ids)
    repository = work.repository(RequisitionRepository)
    parts = await repository.load_parts(records.values())
    clients = await repository.many(Client, sorted({each.client_id for each in records.values()}))
    contents = [
        content
        for i in wanted
        for content in _contents(records[i], parts[i], clients.get(records[i].client_id))
    ]
    await work.audit("print-labels", "requisition", wanted, {"labels": len(contents)})
    return await asyncio.to_thread(lambda: [draw_label(content) for content in contents])


def _contents(requisition: Requisition, parts: Parts, client: Client | None) -> list[LabelContent]:
    """What the labels of a requisition say, in the order of its tests."""
    containers = list(
        dict.fromkeys(
            (test.container, test.specimen or "") for _, test in parts.tests if test.container
        )
    )
    titles = [(f"{container} {specimen}".strip(), container) for container, specimen in containers]
    titles.append((_FORM, _FORM))
    return [
        LabelContent(
            patient_name=f"{requisition.patient_last_name}, {requisition.patient_first_name}",
            birth_date=requisition.patient_birth_date,
            code=requisition.code,
            collection=requisition.collection_date,
            client=client.name if client else "",
            container=container,
            number=number,
            count=len(titles),
            title=title,
        )
        for number, (title, container) in enumerate(titles, start=1)
    ]


def _read(label: Label) -> LabelRead:
    return LabelRead(
        title=label.title,
        image=base64.b64encode(label.png).decode(),
        zpl=label.zpl,
        epl=label.epl,
    )
