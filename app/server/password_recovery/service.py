"""Requests for new passwords, their e-mails, and the new passwords themselves."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

import structlog

from app.basics.clock import get_utc_now
from app.contract import messages
from app.contract.enumerations import ScopeKind
from app.contract.limits import INVITATION_HOURS, RECOVERY_LINK_MINUTES
from app.server.access.parts import PortalParts
from app.server.access.quotas import RECOVERY, QuotaUse
from app.server.access.work import Work
from app.server.accounts.password_changes import (
    load_own_words,
    require_unguessable_password,
    require_valid_password,
    store_password,
)
from app.server.accounts.passwords import Passwords
from app.server.accounts.repository import AccountRepository
from app.server.accounts.tokens import hash_secret, mint_refresh_token
from app.server.actor import GATEKEEPER_ACTOR, Actor, build_worker_actor
from app.server.audit.service import add_audit_row
from app.server.database.transactions import Transaction
from app.server.paperwork.service.facts import load_lab
from app.server.password_recovery.errors import (
    RecoveryLinkInvalid,
    RecoveryNotConfigured,
    UnknownEmail,
)
from app.server.password_recovery.models import PasswordRecovery
from app.server.password_recovery.repository import RecoveryRepository
from app.server.password_recovery.rules import INVITATION_LIFE, get_life, is_last_try
from app.server.password_recovery.schemas import NewPassword
from app.server.transmissions.rules import Outcome
from app.server.transmissions.senders.choose import Senders, send_all_due
from app.server.transmissions.senders.port import Delivery
from app.server.transmissions.service.content import get_public_url
from app.server.transmissions.service.outcomes import build_retry_policy

LINK = "/password-recovery#token={token}"
"""Browsers send nothing after '#', so no server and no log has the token."""
_RETENTION = timedelta(days=1)
_MAILER = build_worker_actor("send a link for a new password")
_log = structlog.get_logger("portal.recovery")


@dataclass(frozen=True)
class _DueEmail:
    """An e-mail with a link, claimed by this worker for one attempt to send it."""

    key: UUID
    attempt: int
    address: str
    token: str
    is_invitation: bool


async def request_link(portal: PortalParts, email: str, address: str, request_id: str) -> None:
    """Request the e-mail with the link; the worker sends it within seconds.

    Raises:
        QuotaExceeded: too many requests for this e-mail or from this address.
        RecoveryNotConfigured: the lab has no mail server.
        UnknownEmail: nobody is registered with this e-mail address.
    """
    email = email.strip().lower()
    await QuotaUse(RECOVERY, email, address).spend(portal.database, GATEKEEPER_ACTOR)
    if portal.get_part(Senders).email is None:
        raise RecoveryNotConfigured(messages.EMAIL_NOT_CONFIGURED)
    async with portal.database.transaction(GATEKEEPER_ACTOR) as transaction:
        user = await transaction.build_repository(AccountRepository).find_user_by_email(email)
        if user is not None:
            recoveries = transaction.build_repository(RecoveryRepository)
            recovery = PasswordRecovery(user_id=user.id, key=uuid4(), next_try_at=get_utc_now())
            await recoveries.insert(recovery)
            _audit_recovery(transaction, user.id, request_id, "request-password")
    if user is None:
        raise UnknownEmail(messages.RECOVERY_EMAIL_UNKNOWN)


async def reset_password(
    portal: PortalParts, body: NewPassword, address: str, request_id: str
) -> None:
    """Store the new password of the account that a link belongs to, and end its sessions.

    Raises:
        BadInput: the new password breaks the rule of P 5, or is easily guessed.
        RecoveryLinkInvalid: the link was used, has expired, or never existed.
        QuotaExceeded: too many tries from this address.
    """
    await QuotaUse(RECOVERY, None, address).spend(portal.database, GATEKEEPER_ACTOR)
    require_valid_password(body.password)
    token_hash = hash_secret(body.change_password_id)
    async with portal.database.transaction(GATEKEEPER_ACTOR) as transaction:
        recoveries = transaction.build_repository(RecoveryRepository)
        recovery = await recoveries.find_valid(token_hash, get_utc_now())
        if recovery is None:
            raise RecoveryLinkInvalid(messages.RECOVERY_LINK_INVALID)
        accounts = transaction.build_repository(AccountRepository)
        own_words = await load_own_words(transaction, await accounts.find_user(recovery.user_id))
    require_unguessable_password(body.password, own_words)
    # Hashing takes long, so it holds no transaction; the link is checked again afterwards.
    password_hash = await portal.get_part(Passwords).hash(body.password)
    now = get_utc_now()
    async with portal.database.transaction(GATEKEEPER_ACTOR) as transaction:
        recoveries = transaction.build_repository(RecoveryRepository)
        accounts = transaction.build_repository(AccountRepository)
        # Lock the user first: requests with two links of the user could otherwise deadlock.
        await accounts.lock_user(recovery.user_id)
        recovery = await recoveries.find_valid(token_hash, now, lock=True)
        if recovery is not None:
            user_id = recovery.user_id
            await recoveries.end_links(user_id, now)
            await store_password(accounts, user_id, password_hash)
            await accounts.delete_failures(hash_secret(await _get_email(recoveries, user_id)))
            _audit_recovery(transaction, user_id, request_id, "reset-password")
    if recovery is None:
        raise RecoveryLinkInvalid(messages.RECOVERY_LINK_INVALID)


async def send_links(portal: PortalParts) -> None:
    """Send all e-mails that are due."""
    await send_all_due(portal, _send_link)


async def delete_old_requests(portal: PortalParts) -> None:
    """Delete requests of earlier days."""
    async with portal.database.transaction(GATEKEEPER_ACTOR) as transaction:
        recoveries = transaction.build_repository(RecoveryRepository)
        now = get_utc_now()
        await recoveries.delete_older_than(now - _RETENTION, is_invitation=False)
        await recoveries.delete_older_than(now - INVITATION_LIFE - _RETENTION, is_invitation=True)


async def _send_link(portal: PortalParts) -> bool:
    """Send one e-mail, and return whether one was due.

    Each attempt makes a new link and ends the earlier one. The portal could not send that one
    again, because it stores only a hash of its secret.
    """
    now, token = get_utc_now(), mint_refresh_token()
    policy = build_retry_policy(portal.settings)
    async with portal.database.transaction(GATEKEEPER_ACTOR) as transaction:
        recoveries = transaction.build_repository(RecoveryRepository)
        recovery = await recoveries.claim_due_email(now, policy)
        if recovery is None:
            return False
        email = await recoveries.find_email(recovery.user_id)
        is_invitation = recovery.is_invitation
        life, age = get_life(is_invitation=is_invitation), now - recovery.created_at
        if email is None or age > life:
            recovery.next_try_at = None
            return True
        recovery.token_hash, recovery.expires_at = hash_secret(token), now + life
        recovery_id, attempt = recovery.id, recovery.attempts
        due_email = _DueEmail(recovery.key, attempt, email, token, is_invitation)
    outcome = await _send_email(portal, due_email)
    # An e-mail that may have arrived is repeated once. After that, people can ask for another link.
    is_over = outcome is Outcome.UNKNOWN and attempt > 1
    is_over = is_over or is_last_try(policy, attempt, age, is_invitation=is_invitation)
    is_sent = outcome is Outcome.ACCEPTED
    async with portal.database.transaction(GATEKEEPER_ACTOR) as transaction:
        recoveries = transaction.build_repository(RecoveryRepository)
        if not is_sent:
            await recoveries.record_failure(recovery_id, get_utc_now())
        if is_sent or outcome is Outcome.REFUSED or is_over:
            await recoveries.end_email(recovery_id, sent_at=now if is_sent else None)
    _log.info("password recovery", recovery=recovery_id, outcome=outcome)
    return True


async def _send_email(portal: PortalParts, due_email: _DueEmail) -> Outcome:
    sender = portal.get_part(Senders).email
    if sender is None:
        return Outcome.LATER
    async with portal.database.transaction(_MAILER) as transaction:
        lab = await load_lab(Work(transaction, portal))
    link = get_public_url(portal.settings) + LINK.format(token=due_email.token)
    subject, text = messages.RECOVERY_EMAIL_SUBJECT, messages.RECOVERY_EMAIL_TEXT
    if due_email.is_invitation:
        subject, text = messages.INVITATION_EMAIL_SUBJECT, messages.INVITATION_EMAIL_TEXT
    result = await sender.send(
        Delivery(
            key=due_email.key,
            number=due_email.attempt,
            destination=due_email.address,
            subject=subject.format(lab=lab.name),
            text=text.format(
                lab=lab.name, link=link, minutes=RECOVERY_LINK_MINUTES, hours=INVITATION_HOURS
            ),
        )
    )
    return result.outcome


async def _get_email(recoveries: RecoveryRepository, user_id: UUID) -> str:
    email = await recoveries.find_email(user_id)
    assert email is not None
    return email


def _audit_recovery(transaction: Transaction, user_id: UUID, request_id: str, action: str) -> None:
    actor = Actor(kind=ScopeKind.GATEKEEPER, user_id=user_id)
    add_audit_row(transaction.statements, actor, request_id, action, "user", [])
