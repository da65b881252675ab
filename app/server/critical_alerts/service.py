"""Escalates notices that nobody has answered, and sends the alerts.

Everything that is due is in the database, so nothing is lost when a worker dies: the next worker
continues. An alert that was sent right before its worker died is sent again with the same
Message-ID. An alert whose outcome stays unknown is repeated once; then the next contact is alerted.
"""

from datetime import timedelta
from uuid import uuid4

import structlog

from app.basics.clock import get_lab_now, get_utc_now
from app.basics.opening_hours import is_open
from app.contract import messages
from app.server.access.parts import PortalParts
from app.server.access.work import Work
from app.server.actor import build_worker_actor
from app.server.critical_alerts.rules import compute_wait
from app.server.critical_results.models import CriticalAlert
from app.server.critical_results.repository import CriticalResultRepository
from app.server.critical_results.rules import Contact, choose_next_contact, compute_escalation_delay
from app.server.lab_settings.repository import SettingRepository
from app.server.lab_settings.rules import CRITICAL_RESULTS, get_critical_minutes
from app.server.paperwork.service.facts import load_lab
from app.server.transmissions.rules import (
    Outcome,
    Trouble,
    choose_trouble,
    is_uncertain_again,
)
from app.server.transmissions.senders.choose import Senders, send_all_due
from app.server.transmissions.senders.port import Delivery, SendResult
from app.server.transmissions.service.content import get_public_url

ALERT_WORKER = build_worker_actor("alert to critical results")
_LINK = "/secured/results/order;id={id}"
_log = structlog.get_logger("portal.alerts")


async def alert_contacts(portal: PortalParts) -> None:
    """Alert the next contacts of all notices that are due, and send all alerts that are due."""
    while await _escalate_notice(portal):
        pass
    await send_all_due(portal, _send_alert)


async def _escalate_notice(portal: PortalParts) -> bool:
    """Alert the next contact of one notice, and return whether one was due."""
    async with portal.database.transaction(ALERT_WORKER) as transaction:
        work = Work(transaction, portal)
        repository = work.build_repository(CriticalResultRepository)
        due_notice = await repository.load_due_notice()
        if due_notice is None:
            return False
        notice, now = due_notice.notice, get_utc_now()
        lab_now = get_lab_now(portal.settings.time_zone)
        contacts = [
            Contact(row.position, row.name, row.email, is_open(row.hours, lab_now))
            for row in due_notice.contacts
        ]
        contact = choose_next_contact(notice.level, contacts)
        # The version stays, so that the lab can still save a call that it is recording.
        if contact is None:
            notice.escalate_at = None
            return True
        group = await work.build_repository(SettingRepository).load_group(CRITICAL_RESULTS)
        limit = timedelta(minutes=get_critical_minutes(group))
        notice.level = contact.position
        notice.escalate_at = now + compute_escalation_delay(contact, limit)
        await repository.insert(
            CriticalAlert(
                notice_id=notice.id,
                key=uuid4(),
                position=contact.position,
                name=contact.name,
                email=contact.email,
                next_try_at=now if contact.email else None,
            )
        )
        detail = {"contact": contact.position}
        await work.audit("alert", "critical-result", [notice.id], detail)
        return True


async def _send_alert(portal: PortalParts) -> bool:
    """Send one alert, and return whether one was due.

    Its row stays locked meanwhile, so that no other worker sends it too. The notice is not locked,
    so that the lab can record its calls.
    """
    async with portal.database.transaction(ALERT_WORKER) as transaction:
        work = Work(transaction, portal)
        repository = work.build_repository(CriticalResultRepository)
        alert = await repository.load_due_alert()
        if alert is None:
            return False
        notice = await repository.find_notice(alert.notice_id)
        assert notice is not None
        if notice.closed_at is not None or notice.told_at is not None:
            alert.next_try_at = None
            return True
        result = await _send_email(work, alert, notice.order_id)
        alert.attempts += 1
        is_over = is_uncertain_again(alert.trouble, result.outcome)
        alert.trouble = choose_trouble(alert.trouble, result.outcome, result.trouble)
        alert.next_try_at = None
        if result.outcome is Outcome.ACCEPTED:
            alert.sent_at = get_utc_now()
        elif result.outcome is Outcome.REFUSED or is_over:
            await _escalate_at_once(repository, alert)
        else:
            wait = result.wait or compute_wait(alert.attempts)
            alert.next_try_at = get_utc_now() + wait
        _log.info("critical alert", alert=alert.id, outcome=result.outcome, trouble=result.trouble)
        return True


async def _escalate_at_once(repository: CriticalResultRepository, alert: CriticalAlert) -> None:
    """Let the next contact be alerted now, because this one cannot be reached by e-mail.

    If a later contact was alerted meanwhile, that contact keeps the time to answer.
    """
    notice = await repository.find_notice(alert.notice_id, lock=True)
    if notice is None or notice.closed_at is not None or notice.told_at is not None:
        return
    if alert.position >= notice.level:
        notice.escalate_at = get_utc_now()


async def _send_email(work: Work, alert: CriticalAlert, order_id: int) -> SendResult:
    sender = work.portal.get_part(Senders).email
    if sender is None or alert.email is None:
        return SendResult(Outcome.LATER, Trouble.NOT_CONFIGURED)
    lab = await load_lab(work)
    link = get_public_url(work.portal.settings) + _LINK.format(id=order_id)
    text = messages.CRITICAL_EMAIL_TEXT.format(lab=lab.name, link=link)
    return await sender.send(
        Delivery(
            key=alert.key,
            number=alert.attempts + 1,
            destination=alert.email,
            subject=messages.CRITICAL_EMAIL_SUBJECT.format(lab=lab.name),
            text=f"{text}\n{messages.EMAIL_CONFIDENTIAL}\n",
        )
    )
