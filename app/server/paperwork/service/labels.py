"""The labels of a requisition: one per container, then one for the form (DECISIONS, 'labels')."""

import asyncio
import base64

from app.drawing.labels import Label, LabelContent, draw_label
from app.server.access.work import Work
from app.server.clients.models import Client
from app.server.paperwork.schemas import LabelRead
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.service.read import found

_FORM = "REQUISITION FORM"


async def labels(work: Work, requisition_id: int) -> list[LabelRead]:
    """The labels as picture, ZPL and EPL2; raises NotFound."""
    requisition = await found(work, requisition_id)
    contents = await label_contents(work, requisition)
    await work.audit("print-labels", "requisition", [requisition.id], {"labels": len(contents)})
    drawn = await asyncio.to_thread(lambda: [draw_label(content) for content in contents])
    return [_read(label) for label in drawn]


async def label_contents(work: Work, requisition: Requisition) -> list[LabelContent]:
    """What the labels say, in the order of the tests."""
    repository = RequisitionRepository(work.session, work.actor)
    client = await repository.one(Client, requisition.client_id)
    parts = await repository.parts(requisition.id)
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
