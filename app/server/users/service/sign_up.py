"""Sign-up of patients, with a notice to the address on their record (P 2, DECISIONS)."""

from uuid import UUID, uuid5

import structlog

from app.basics.errors import require_no_errors
from app.basics.text import to_upper_case
from app.contract import messages
from app.contract.enumerations import ScopeKind
from app.server.access.parts import PortalParts
from app.server.access.quotas import SIGN_UP, QuotaUse
from app.server.access.work import Work
from app.server.accounts.repository import AccountRepository
from app.server.actor import GATEKEEPER_ACTOR, Actor, build_worker_actor
from app.server.audit.service import add_audit_row
from app.server.paperwork.service.facts import load_lab
from app.server.transmissions.rules import Outcome
from app.server.transmissions.senders.choose import Senders
from app.server.transmissions.senders.port import Delivery
from app.server.users import rules
from app.server.users.errors import MailNotConfigured, PatientUnmatched
from app.server.users.repository import UserRepository, build_email_error
from app.server.users.rules import SignUpValues
from app.server.users.schemas import SignedUp, SignUp

_NOTIFIER = build_worker_actor("tell a patient of a new account")


_log = structlog.get_logger("portal.users")


class NotSentError(Exception):
    """The mail server did not accept the notice; the job tries again."""


async def sign_up_patient(
    portal: PortalParts, body: SignUp, address: str, request_id: str
) -> SignedUp:
    """Create an account for the patient whose record matches, and invite by e-mail.

    Raises:
        BadInput, MailNotConfigured.
        QuotaExceeded: too many attempts for this patient id or from this address.
        PatientUnmatched: no record has these names, birth date, and id.
        EmailInUse: the record matches, and another user has the e-mail address.
    """
    values = SignUpValues(
        last_name=rules.build_name(body.last_name),
        first_name=rules.build_name(body.first_name),
        birth_date=body.birth_date,
        code=to_upper_case(body.code) or "",
        email=rules.normalize_email(body.email),
    )
    require_no_errors(rules.validate_sign_up(values))
    await QuotaUse(SIGN_UP, values.code, address).spend(portal.database, GATEKEEPER_ACTOR)
    if portal.get_part(Senders).email is None:
        raise MailNotConfigured(messages.EMAIL_NOT_CONFIGURED)
    async with portal.database.transaction(GATEKEEPER_ACTOR) as transaction:
        users = transaction.build_repository(UserRepository)
        patient_id, user_id = await users.sign_up(values, rules.choose_username(values.email))
        actor = Actor(kind=ScopeKind.GATEKEEPER, user_id=user_id)
        action = "sign-up" if user_id else "fail-sign-up"
        add_audit_row(users.statements, actor, request_id, action, "user", [])
    if patient_id is None:
        raise PatientUnmatched(messages.SIGN_UP_UNMATCHED)
    if user_id is None:
        raise build_email_error()
    return SignedUp(email=values.email)


async def notify_of_sign_up(portal: PortalParts, patient_id: int, user_id: str) -> None:
    """Notify the address on a patient's record that somebody signed up with another address.

    A notice that the mail server may have accepted is not repeated.

    Raises:
        NotSentError: the mail server did not accept the e-mail now.
    """
    sender = portal.get_part(Senders).email
    if sender is None:
        return
    async with portal.database.transaction(GATEKEEPER_ACTOR) as transaction:
        user = await transaction.build_repository(AccountRepository).find_user(UUID(user_id))
    async with portal.database.transaction(_NOTIFIER) as transaction:
        patient = await transaction.build_repository(UserRepository).find_patient(patient_id)
        lab = await load_lab(Work(transaction, portal))
    destination = rules.normalize_email(patient.email if patient else None)
    if not destination or user is None or destination == user.email:
        return
    result = await sender.send(
        Delivery(
            # The same Message-ID when the job runs twice.
            key=uuid5(user.id, "sign-up"),
            number=1,
            destination=destination,
            subject=messages.SIGN_UP_NOTICE_SUBJECT.format(lab=lab.name),
            text=messages.SIGN_UP_NOTICE_TEXT.format(
                lab=lab.name, phone=f" ({lab.phone})" if lab.phone else ""
            ),
        )
    )
    _log.info("sign-up notice", outcome=result.outcome)
    if result.outcome is Outcome.LATER:
        raise NotSentError
