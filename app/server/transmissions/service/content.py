"""Builds the content of a delivery: text without patient data, and the document."""

import asyncio

from app.basics.clock import get_lab_now
from app.contract import messages
from app.contract.enumerations import CopyType
from app.drawing.pages import Lab, RequisitionsPdf
from app.drawing.pages.fax import FaxCover, FaxPdf
from app.server.access.work import Work
from app.server.paperwork.service.facts import load_lab
from app.server.paperwork.service.requisition_form import draw_forms_on
from app.server.settings import Settings
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import Subject
from app.server.transmissions.senders.port import Delivery

_FORM = "/secured/requisitions/create;id={id}"
_ORDER = "/secured/results/order;id={id}"


async def build_delivery(work: Work, transmission: Transmission, ids: list[int]) -> Delivery:
    """Build the delivery of the transmission's next attempt.

    A link contains only the requisition's id, and opening it requires signing in.
    """
    lab = await load_lab(work)
    settings = work.portal.settings
    if transmission.subject == Subject.REJECTED_SPECIMEN:
        return await _build_rejection(work, transmission, ids, lab)
    is_fax = transmission.kind == CopyType.FAX
    document: RequisitionsPdf | None = None
    if is_fax:
        now = get_lab_now(settings.time_zone)
        warning = messages.FAX_CONFIDENTIAL
        document = FaxPdf(FaxCover(lab, transmission.destination, now, len(ids), warning))
    elif settings.email_attaches_forms:
        document = RequisitionsPdf("Requisition" if len(ids) == 1 else "Requisitions")
    if document is not None:
        async for _ in draw_forms_on(work, ids, document):
            pass
    if document is None:
        links = "\n".join(get_public_url(settings) + _FORM.format(id=i) for i in ids)
        text = messages.EMAIL_LINKS.format(lab=lab.name, count=len(ids), links=links)
    else:
        text = messages.EMAIL_ATTACHED.format(lab=lab.name, count=len(ids))
    return Delivery(
        key=transmission.key,
        number=transmission.attempts + 1,
        destination=transmission.destination,
        subject=messages.EMAIL_SUBJECT.format(lab=lab.name),
        text=f"{text}\n{messages.EMAIL_CONFIDENTIAL}\n",
        document=await asyncio.to_thread(document.finish) if document else None,
    )


async def _build_rejection(
    work: Work, transmission: Transmission, ids: list[int], lab: Lab
) -> Delivery:
    """Build the e-mail about a rejected specimen, which leads to the order and says no more."""
    orders = await work.build_repository(TransmissionRepository).list_order_ids(ids)
    url = get_public_url(work.portal.settings)
    links = "\n".join(url + _ORDER.format(id=order_id) for order_id in orders)
    text = messages.EMAIL_SPECIMEN_REJECTED.format(lab=lab.name, links=links)
    return Delivery(
        key=transmission.key,
        number=transmission.attempts + 1,
        destination=transmission.destination,
        subject=messages.EMAIL_SPECIMEN_SUBJECT.format(lab=lab.name),
        text=f"{text}\n{messages.EMAIL_CONFIDENTIAL}\n",
    )


def get_public_url(settings: Settings) -> str:
    """Return the portal's public URL, or where it listens when none is configured."""
    return (settings.public_url or f"http://{settings.host}:{settings.port}").rstrip("/")
