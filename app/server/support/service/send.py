"""Sends what people wrote to the lab.

Everything that is due is in the database, so nothing is lost when a worker dies: the next worker
continues. An e-mail that was sent right before its worker died is sent again with the same
Message-ID.
"""

from datetime import timedelta
from html import escape

import structlog

from app.basics.clock import get_utc_now
from app.contract import messages
from app.server.access.parts import PortalParts
from app.server.access.work import Work
from app.server.actor import build_worker_actor
from app.server.lab_settings.fields import SUPPORT_SETTING
from app.server.lab_settings.repository import SettingRepository
from app.server.paperwork.service.facts import load_lab
from app.server.rich_text import to_plain_text
from app.server.support.models import SupportRequest
from app.server.support.repository import SupportRepository
from app.server.support.rules import RequestKind, is_over
from app.server.support.service.write import ADDRESS_KEYS
from app.server.transmissions.rules import Outcome, Trouble, choose_trouble
from app.server.transmissions.senders.choose import Senders, send_all_due
from app.server.transmissions.senders.port import Delivery, SendResult
from app.server.transmissions.service.outcomes import build_retry_policy

_MAILER = build_worker_actor("send what people write to the lab")
_log = structlog.get_logger("portal.support")


async def send_requests(portal: PortalParts) -> None:
    """Send all e-mails that are due."""
    await send_all_due(portal, _send_request)


async def _send_request(portal: PortalParts) -> bool:
    """Send one e-mail, and return whether one was due."""
    now, policy = get_utc_now(), build_retry_policy(portal.settings)
    # Until this attempt has ended, no other worker sends the e-mail.
    attempt_limit = timedelta(seconds=2 * portal.settings.smtp_seconds)
    async with portal.database.transaction(_MAILER) as transaction:
        work = Work(transaction, portal)
        repository = work.build_repository(SupportRepository)
        request = await repository.claim_due_request(now, attempt_limit)
        if request is None:
            return False
        request_id, attempts, created_at = request.id, request.attempts, request.created_at
        earlier_trouble = request.trouble
        group = await work.build_repository(SettingRepository).load_group(SUPPORT_SETTING)
        address = group.get(ADDRESS_KEYS[RequestKind(request.kind)])
        delivery = _build_delivery(request, address, (await load_lab(work)).name)
    result = await _send_delivery(portal, delivery)
    trouble = choose_trouble(earlier_trouble, result.outcome, result.trouble)
    is_last = is_over(policy, earlier_trouble, result.outcome, now - created_at)
    wait = policy.compute_wait(attempts, result.wait)
    ended_at = get_utc_now()
    async with portal.database.transaction(_MAILER) as transaction:
        repository = transaction.build_repository(SupportRepository)
        is_sent = result.outcome is Outcome.ACCEPTED
        await repository.record_outcome(
            request_id,
            ended_at=ended_at,
            is_sent=is_sent,
            next_try_at=None if is_sent or is_last else ended_at + wait,
            trouble=trouble,
        )
    _log.info("support request", request=request_id, outcome=result.outcome)
    return True


async def _send_delivery(portal: PortalParts, delivery: Delivery | None) -> SendResult:
    sender = portal.get_part(Senders).email
    if sender is None or delivery is None:
        return SendResult(Outcome.LATER, Trouble.NOT_CONFIGURED)
    return await sender.send(delivery)


def _build_delivery(request: SupportRequest, address: str | None, lab: str) -> Delivery | None:
    if address is None:
        return None
    is_supply = request.kind == RequestKind.SUPPLY
    subject = messages.SUPPLY_EMAIL_SUBJECT if is_supply else messages.CONTACT_EMAIL_SUBJECT
    return Delivery(
        key=request.key,
        number=request.attempts,
        destination=address,
        # Names are only in the text, because the writer may be a patient.
        subject=subject.format(lab=lab, number=request.id),
        text=_build_text(request),
        html=_build_html(request),
        reply_to=request.email if request.email.isascii() else None,
    )


def _list_facts(request: SupportRequest) -> list[tuple[str, str]]:
    facts = (
        ("Name", request.name),
        ("Email", request.email),
        ("Phone", request.phone),
        ("Client", request.client),
    )
    return [(label, value) for label, value in facts if value]


def _build_text(request: SupportRequest) -> str:
    is_supply = request.kind == RequestKind.SUPPLY
    message = to_plain_text(request.message) if is_supply else request.message
    lines = [f"{label}: {value}" for label, value in _list_facts(request)]
    lines += ["", message or "", ""]
    for supply in request.supplies:
        comment = f" ({supply['comment']})" if supply["comment"] else ""
        lines.append(
            f"{supply['quantity']} {supply['unit']}: {supply['code']} {supply['name']},"
            f" {supply['category']}{comment}"
        )
    return "\n".join(lines) + "\n"


def _build_html(request: SupportRequest) -> str:
    """Build the e-mail as HTML; the message of a supply request was sanitized when it came in."""
    is_supply = request.kind == RequestKind.SUPPLY
    message = request.message if is_supply else escape(request.message).replace("\n", "<br>")
    facts = "".join(
        f"<tr><th align=left>{label}</th><td>{escape(value)}</td></tr>"
        for label, value in _list_facts(request)
    )
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td>{escape(str(supply[name] or ''))}</td>"
            for name in ("category", "code", "name", "quantity", "unit", "comment")
        )
        + "</tr>"
        for supply in request.supplies
    )
    head = "".join(
        f"<th align=left>{name}</th>"
        for name in ("Category", "Code", "Name", "Quantity", "Unit", "Comment")
    )
    supplies = f"<table border=1 cellpadding=4><tr>{head}</tr>{rows}</table>" if rows else ""
    return f"<html><body><table>{facts}</table><div>{message}</div>{supplies}</body></html>"
