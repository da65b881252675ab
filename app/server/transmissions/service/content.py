"""Builds the content of a delivery: text without patient data, and the document."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from app.basics.clock import get_lab_now
from app.contract import messages
from app.contract.enumerations import CopyType
from app.drawing.pages import (
    Lab,
    OrderResultsPage,
    OrderResultsPdf,
    RequisitionPage,
    RequisitionsPdf,
)
from app.drawing.pages.fax import FaxCover, FaxPdf, FaxResultsPdf
from app.server.access.work import Work
from app.server.paperwork.service.facts import load_lab
from app.server.paperwork.service.order_results import build_pages, format_title
from app.server.paperwork.service.requisition_form import build_pages as build_form_pages
from app.server.paperwork.service.requisition_form import format_title as format_form_title
from app.server.settings import Settings
from app.server.transmissions.models import Transmission
from app.server.transmissions.repository import TransmissionRepository
from app.server.transmissions.rules import RESULT_SUBJECTS, Subject
from app.server.transmissions.senders.port import Delivery

_FORM = "/secured/requisitions/create;id={id}"
_ORDER = "/secured/results/order;id={id}"
_RESULTS_FILE = "results.pdf"

Draw = Callable[[], Awaitable[Delivery]]
"""Draws a loaded delivery, without a transaction."""


@dataclass(frozen=True)
class _EmailTexts:
    """The texts of an e-mail about results."""

    subject: str
    links: str
    attached: str


_RELEASE_TEXTS = _EmailTexts(
    messages.EMAIL_RESULTS_SUBJECT,
    messages.EMAIL_RESULTS_LINKS,
    messages.EMAIL_RESULTS_ATTACHED,
)
_CORRECTION_TEXTS = _EmailTexts(
    messages.EMAIL_CORRECTED_SUBJECT,
    messages.EMAIL_CORRECTED_LINKS,
    messages.EMAIL_CORRECTED_ATTACHED,
)


async def load_delivery(work: Work, transmission: Transmission, ids: list[int]) -> Draw:
    """Load the delivery of the transmission's next attempt; ``ids`` are its requisitions.

    A link contains only an id, and opening it requires signing in.
    """
    lab = await load_lab(work)
    if transmission.subject in RESULT_SUBJECTS:
        return await _load_results(work, transmission, ids, lab)
    if transmission.subject == Subject.REJECTED_SPECIMEN:
        return await _load_rejection(work, transmission, ids, lab)
    return await _load_forms(work, transmission, ids, lab)


async def _load_forms(work: Work, transmission: Transmission, ids: list[int], lab: Lab) -> Draw:
    settings = work.portal.settings
    subject = messages.EMAIL_SUBJECT.format(lab=lab.name)
    is_fax = transmission.kind == CopyType.FAX
    if not is_fax and not settings.email_attaches_forms:
        links = _format_links(settings, _FORM, ids)
        text = messages.EMAIL_LINKS.format(lab=lab.name, count=len(ids), links=links)
        return partial(_finish_delivery, _build_delivery(transmission, subject, text), None)
    pages = await build_form_pages(work, ids)
    content = f"{len(ids)} laboratory form{'' if len(ids) == 1 else 's'}"
    cover = _build_cover(settings, transmission, lab, content) if is_fax else None
    text = messages.EMAIL_ATTACHED.format(lab=lab.name, count=len(ids))
    delivery = _build_delivery(transmission, subject, text)
    return partial(_finish_delivery, delivery, partial(_draw_forms, pages, cover))


async def _load_rejection(work: Work, transmission: Transmission, ids: list[int], lab: Lab) -> Draw:
    """Load the e-mail about a rejected specimen, which has only a link to the order."""
    links = _format_links(work.portal.settings, _ORDER, await _list_order_ids(work, ids))
    text = messages.EMAIL_SPECIMEN_REJECTED.format(lab=lab.name, links=links)
    subject = messages.EMAIL_SPECIMEN_SUBJECT.format(lab=lab.name)
    return partial(_finish_delivery, _build_delivery(transmission, subject, text), None)


async def _load_results(work: Work, transmission: Transmission, ids: list[int], lab: Lab) -> Draw:
    """Load released results only, because the recipient may be outside the lab."""
    settings, is_correction = work.portal.settings, transmission.subject != Subject.RESULTS
    words = _CORRECTION_TEXTS if is_correction else _RELEASE_TEXTS
    order_ids = await _list_order_ids(work, ids)
    count = len(order_ids)
    subject = words.subject.format(lab=lab.name)
    is_fax = transmission.kind == CopyType.FAX
    if not is_fax and not settings.email_attaches_forms:
        links = _format_links(settings, _ORDER, order_ids)
        text = words.links.format(lab=lab.name, count=count, links=links)
        return partial(_finish_delivery, _build_delivery(transmission, subject, text), None)
    pages = await build_pages(work, order_ids)
    content = f"{count} laboratory report{'' if count == 1 else 's'}"
    mark = messages.FAX_CORRECTED if is_correction else ""
    cover = _build_cover(settings, transmission, lab, content, mark) if is_fax else None
    text = words.attached.format(lab=lab.name, count=count)
    delivery = _build_delivery(transmission, subject, text, _RESULTS_FILE)
    return partial(_finish_delivery, delivery, partial(_draw_results, pages, cover))


def _draw_forms(pages: Sequence[RequisitionPage], cover: FaxCover | None) -> bytes:
    document = FaxPdf(cover) if cover else RequisitionsPdf(format_form_title(len(pages)))
    document.add(pages)
    return document.finish()


def _draw_results(pages: Sequence[OrderResultsPage], cover: FaxCover | None) -> bytes:
    document = FaxResultsPdf(cover) if cover else OrderResultsPdf(format_title(len(pages)))
    document.add(pages)
    return document.finish()


async def _finish_delivery(
    build: Callable[[bytes | None], Delivery], draw: Callable[[], bytes] | None
) -> Delivery:
    return build(await asyncio.to_thread(draw) if draw else None)


def _build_delivery(
    transmission: Transmission, subject: str, text: str, file_name: str = "requisitions.pdf"
) -> Callable[[bytes | None], Delivery]:
    """Return a function that builds the delivery from its document."""
    return lambda document: Delivery(
        key=transmission.key,
        number=transmission.attempts + 1,
        destination=transmission.destination,
        subject=subject,
        text=f"{text}\n{messages.EMAIL_CONFIDENTIAL}\n",
        document=document,
        file_name=file_name,
    )


def _build_cover(
    settings: Settings, transmission: Transmission, lab: Lab, content: str, mark: str = ""
) -> FaxCover:
    now: datetime = get_lab_now(settings.time_zone)
    warning = messages.FAX_CONFIDENTIAL
    return FaxCover(lab, transmission.destination, now, content, warning, mark)


async def _list_order_ids(work: Work, requisition_ids: Sequence[int]) -> list[int]:
    """Return the orders of these requisitions, in their order."""
    orders = await work.build_repository(TransmissionRepository).load_orders(requisition_ids)
    return [orders[i].id for i in requisition_ids if i in orders]


def _format_links(settings: Settings, path: str, ids: Sequence[int]) -> str:
    return "\n".join(get_public_url(settings) + path.format(id=i) for i in ids)


def get_public_url(settings: Settings) -> str:
    """Return the portal's public URL, or where it listens when none is configured."""
    return (settings.public_url or f"http://{settings.host}:{settings.port}").rstrip("/")
