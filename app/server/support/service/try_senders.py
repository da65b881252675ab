"""Sends a test through the lab's mail server or fax provider, for the settings screen."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from uuid import uuid4

from app.basics.clock import get_lab_now
from app.basics.emails import is_valid_email
from app.basics.errors import BadInput, FieldError, NotConfigured, require_allowed
from app.basics.text import keep_digits, mask_phone
from app.contract import messages
from app.contract.enumerations import CopyType
from app.drawing.pages import Lab
from app.drawing.pages.fax import FaxCover, FaxPdf
from app.server.access.work import Work
from app.server.drawing_pool import DrawingPool
from app.server.lab_settings.rules import judge_changing_settings
from app.server.paperwork.service.facts import load_lab
from app.server.settings import Settings
from app.server.support.schemas import SendingRead, TestSending, TestSent
from app.server.transmissions.rules import Outcome, describe_trouble
from app.server.transmissions.senders.choose import Senders
from app.server.transmissions.senders.port import Delivery

_PHONE_DIGITS = 10
OpenWork = Callable[[], AbstractAsyncContextManager[Work]]


def describe_sending(settings: Settings, senders: Senders) -> SendingRead:
    """Describe how the lab sends, without any secret."""
    return SendingRead(
        email_from=settings.email_from if senders.email else None,
        mail_server=settings.smtp_host if senders.email else None,
        fax=senders.fax.name if senders.fax else None,
    )


async def send_test(open_work: OpenWork, body: TestSending) -> TestSent:
    """Send a test now, outside of a transaction, and return whether it was accepted.

    Raises:
        BadInput: the address or number is invalid.
        NotConfigured: the lab has no such sender.
    """
    kind = CopyType.FAX if body.type.upper() == CopyType.FAX else CopyType.EMAIL
    destination = _require_destination(kind, body.value.strip())
    async with open_work() as work:
        require_allowed(judge_changing_settings(work.actor))
        portal, person = work.portal, work.actor.user_text
        lab = await load_lab(work)
    sender = portal.get_part(Senders).find(kind)
    if sender is None:
        raise NotConfigured(messages.NOT_CONFIGURED)
    document = None
    if kind == CopyType.FAX:
        now = get_lab_now(portal.settings.time_zone)
        async with portal.get_part(DrawingPool).open_function(person, draw_test_fax) as draw:
            document = await draw(lab, destination, now)
    result = await sender.send(
        Delivery(
            key=uuid4(),
            number=1,
            destination=destination,
            subject=messages.TEST_EMAIL_SUBJECT.format(lab=lab.name),
            text=messages.TEST_TEXT.format(lab=lab.name),
            document=document,
            file_name="test.pdf",
        )
    )
    async with open_work() as work:
        detail = {"kind": kind, "outcome": result.outcome}
        await work.audit("send test", "lab-settings", [], detail)
    is_sent = result.outcome is Outcome.ACCEPTED
    return TestSent(is_sent=is_sent, trouble=describe_trouble(result.trouble))


def draw_test_fax(lab: Lab, number: str, now: datetime) -> bytes:
    """Draw a fax that has only a cover page."""
    content = messages.TEST_TEXT.format(lab=lab.name).strip()
    return FaxPdf(FaxCover(lab, number, now, content, messages.FAX_CONFIDENTIAL)).finish()


def _require_destination(kind: CopyType, value: str) -> str:
    if kind == CopyType.EMAIL:
        if not is_valid_email(value):
            raise BadInput.of(FieldError("value", messages.EMAIL_INVALID))
        return value
    if len(keep_digits(value) or "") != _PHONE_DIGITS:
        raise BadInput.of(FieldError("value", messages.FAX_INVALID))
    return mask_phone(value)
