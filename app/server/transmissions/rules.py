"""Rules about sending: permission, outcomes and retries."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from uuid import UUID

from app.basics.errors import PortalError
from app.basics.text import keep_digits
from app.contract import messages
from app.contract.enumerations import OrderStatus, RequisitionStatus, SendStatus
from app.server.access.policy import ALL_ROLES, judge_role
from app.server.actor import Actor
from app.server.orders.rules import WITH_RELEASED_RESULTS, OrderState
from app.server.requisitions.rules import RequisitionState
from app.server.transmissions.errors import NothingToSend, RequisitionNotSendable

IN_PROGRESS = frozenset({SendStatus.QUEUED, SendStatus.SENDING})
SENDERS = ALL_ROLES
"""Roles that may send requisitions, and results of orders."""
UNSENDABLE_STATUSES = frozenset({RequisitionStatus.CANCELED})
"""A canceled requisition is not sent, since it could be mistaken for an order."""

UNCERTAIN_SENDS_MAX = 2
"""Limit of attempts that may have been accepted; then a person decides."""
_DOUBLINGS_MAX = 20
FAX_SENDS_MAX = 4
"""Limit of accepted sends of a fax; the portal sends again when the provider gives up."""


def judge_sending(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Return why the actor may not send this requisition, or None."""
    if error := judge_role(actor, SENDERS):
        return error
    if state.status not in UNSENDABLE_STATUSES:
        return None
    text = messages.REQUISITION_NOT_SENDABLE.format(code=state.code, status=state.status.name)
    return RequisitionNotSendable(text)


def judge_sending_results(actor: Actor, order: OrderState) -> PortalError | None:
    """Return why the actor may not send the results of this order, or None."""
    if error := judge_role(actor, SENDERS):
        return error
    if order.status in WITH_RELEASED_RESULTS:
        return None
    is_canceled = order.status == OrderStatus.CANCELED
    text = messages.ORDER_CANCELED_NOT_SENDABLE if is_canceled else messages.ORDER_NOTHING_TO_SEND
    return NothingToSend(text.format(code=order.code))


class Subject(StrEnum):
    """The subject of a transmission: forms, a rejected specimen, results, or corrected results."""

    FORMS = "forms"
    REJECTED_SPECIMEN = "rejectedSpecimen"
    RESULTS = "results"
    CORRECTED_RESULTS = "correctedResults"


RESULT_SUBJECTS = frozenset({Subject.RESULTS, Subject.CORRECTED_RESULTS})
"""Subjects of transmissions of orders; the others are about requisitions."""


class Outcome(StrEnum):
    """The outcome of an attempt.

    ACCEPTED: the server or provider accepted it. REFUSED: it will never accept it. LATER: it did
    not accept it, and another attempt may succeed. UNKNOWN: the attempt was interrupted, and may
    have been accepted. REPEATED: an UNKNOWN attempt that is made again, because the other side did
    not accept it, or cannot say.
    """

    ACCEPTED = "accepted"
    REFUSED = "refused"
    LATER = "later"
    UNKNOWN = "unknown"
    REPEATED = "repeated"


class Trouble(StrEnum):
    """The reason of a failure; texts of servers are not used, since they may name people."""

    ADDRESS_REFUSED = "addressRefused"
    CANCELED = "canceled"
    CONTENT_REFUSED = "contentRefused"
    FAX_BUSY = "faxBusy"
    FAX_FAILED = "faxFailed"
    FAX_LOST = "faxLost"
    FAX_NO_ANSWER = "faxNoAnswer"
    FAX_NUMBER_REFUSED = "faxNumberRefused"
    INSECURE = "insecure"
    LOGIN_REFUSED = "loginRefused"
    NO_ANSWER = "noAnswer"
    NOTHING_RELEASED = "nothingReleased"
    NOT_CONFIGURED = "notConfigured"
    TOO_LARGE = "tooLarge"
    TOO_MUCH = "tooMuch"
    TROUBLE = "trouble"
    UNCERTAIN = "uncertain"
    UNCLEAR_ANSWER = "unclearAnswer"


_MESSAGES = {
    Trouble.ADDRESS_REFUSED: messages.SEND_ADDRESS_REFUSED,
    Trouble.CANCELED: messages.SEND_CANCELED,
    Trouble.CONTENT_REFUSED: messages.SEND_CONTENT_REFUSED,
    Trouble.FAX_BUSY: messages.SEND_FAX_BUSY,
    Trouble.FAX_FAILED: messages.SEND_FAX_FAILED,
    Trouble.FAX_LOST: messages.SEND_FAX_LOST,
    Trouble.FAX_NO_ANSWER: messages.SEND_FAX_NO_ANSWER,
    Trouble.FAX_NUMBER_REFUSED: messages.SEND_FAX_NUMBER_REFUSED,
    Trouble.INSECURE: messages.SEND_INSECURE,
    Trouble.LOGIN_REFUSED: messages.SEND_LOGIN_REFUSED,
    Trouble.NO_ANSWER: messages.SEND_NO_ANSWER,
    Trouble.NOTHING_RELEASED: messages.SEND_NOTHING_RELEASED,
    Trouble.NOT_CONFIGURED: messages.SEND_NOT_CONFIGURED,
    Trouble.TOO_LARGE: messages.SEND_TOO_LARGE,
    Trouble.TOO_MUCH: messages.SEND_TOO_MUCH,
    Trouble.TROUBLE: messages.SEND_TROUBLE,
    Trouble.UNCERTAIN: messages.SEND_UNCERTAIN,
    Trouble.UNCLEAR_ANSWER: messages.SEND_UNCLEAR_ANSWER,
}


def choose_trouble(
    earlier_trouble: str | None, outcome: Outcome, trouble: Trouble | None
) -> Trouble | None:
    """Return the trouble to store; an e-mail that may have been accepted stays UNCERTAIN."""
    if outcome is Outcome.ACCEPTED:
        return None
    is_uncertain = outcome is Outcome.UNKNOWN or earlier_trouble == Trouble.UNCERTAIN
    return Trouble.UNCERTAIN if is_uncertain and outcome is not Outcome.REFUSED else trouble


def is_uncertain_again(earlier_trouble: str | None, outcome: Outcome) -> bool:
    """Whether an attempt and its one repeat may both have been accepted; a person decides then."""
    return outcome is Outcome.UNKNOWN and earlier_trouble == Trouble.UNCERTAIN


def compute_doubled_wait(attempts: int, first: timedelta, longest: timedelta) -> timedelta:
    """Compute the wait after this many attempts: ``first``, then doubling up to ``longest``."""
    multiplier: int = 2 ** min(max(attempts - 1, 0), _DOUBLINGS_MAX)
    return min(first * multiplier, longest)


@dataclass(frozen=True)
class RetryPolicy:
    """The waits between attempts and the time to give up, from the lab's settings.

    Attributes:
        first_wait: the wait after the first attempt. Each later wait is twice the previous one.
        longest_wait: the most that a wait may be.
        give_up_after: the time after which a transmission fails.
    """

    first_wait: timedelta
    longest_wait: timedelta
    give_up_after: timedelta

    def compute_wait(self, attempts: int, requested_wait: timedelta | None = None) -> timedelta:
        """Compute the wait after this many attempts, at least the wait that a server requested."""
        doubled_wait = compute_doubled_wait(attempts, self.first_wait, self.longest_wait)
        return max(doubled_wait, requested_wait or timedelta())

    def compute_wait_without_attempt(
        self, age: timedelta, requested_wait: timedelta | None = None
    ) -> timedelta:
        """Compute the wait when no attempt was possible: as long as the transmission's age."""
        wait = min(max(age, self.first_wait), self.longest_wait)
        return max(wait, requested_wait or timedelta())


def name_requester(actor: Actor, user_id: UUID, name: str) -> str:
    """Return the name of who requested a transmission; empty if the actor may not see it."""
    return name if actor.sees_user_names or actor.user_id == user_id else ""


def describe_trouble(trouble: str | None) -> str | None:
    """Return the message for a trouble; a code of another release counts as TROUBLE."""
    if trouble is None:
        return None
    by_code = {str(code): message for code, message in _MESSAGES.items()}
    return by_code.get(trouble, messages.SEND_TROUBLE)


def format_e164(number: str) -> str:
    """Format '000-000-0000' in E.164; the lab's numbers are North American."""
    return f"+1{keep_digits(number) or ''}"
