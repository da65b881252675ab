"""Decisions about sending; no session, no clock, no request."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from app.basics.errors import PortalError
from app.basics.text import digits
from app.contract import messages
from app.contract.enumerations import RequisitionStatus, SendStatus
from app.server.access.policy import ALL_ROLES, judge_role
from app.server.actor import Actor
from app.server.requisitions.rules import RequisitionState
from app.server.transmissions.errors import RequisitionNotSendable

UNDER_WAY = frozenset({SendStatus.QUEUED, SendStatus.SENDING})
SENDERS = ALL_ROLES
"""The roles that send requisitions."""
NOT_SENT = frozenset({RequisitionStatus.CANCELED})
"""A canceled requisition is not sent to anybody: it could be taken for an order."""

FAX_ROUNDS = 4
"""So often a fax is dialled anew by us after the provider has given it up."""


def judge_sending(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Why this requisition may not be sent; None: it may."""
    if refusal := judge_role(actor, SENDERS):
        return refusal
    if state.status not in NOT_SENT:
        return None
    text = messages.REQUISITION_NOT_SENDABLE.format(code=state.code, status=state.status.name)
    return RequisitionNotSendable(text)


class Outcome(StrEnum):
    """How a try ended.

    ACCEPTED: the other side has it. REFUSED: it never will. LATER: nothing was taken, another try
    may succeed. UNKNOWN: it was broken off where it may have been taken. REPEATED: an UNKNOWN one
    that is done anew, since the other side does not have it, or can not say.
    """

    ACCEPTED = "accepted"
    REFUSED = "refused"
    LATER = "later"
    UNKNOWN = "unknown"
    REPEATED = "repeated"


class Trouble(StrEnum):
    """What stood in the way, in the house's words; what servers say may name people."""

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
    NOT_CONFIGURED = "notConfigured"
    TOO_LARGE = "tooLarge"
    TOO_MUCH = "tooMuch"
    TROUBLE = "trouble"


_WORDS = {
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
    Trouble.NOT_CONFIGURED: messages.SEND_NOT_CONFIGURED,
    Trouble.TOO_LARGE: messages.SEND_TOO_LARGE,
    Trouble.TOO_MUCH: messages.SEND_TOO_MUCH,
    Trouble.TROUBLE: messages.SEND_TROUBLE,
}


@dataclass(frozen=True)
class Patience:
    """How long to wait between tries and when to give up, from the lab's settings.

    ``first`` is the wait after the first try; every wait is twice the one before, at most
    ``longest``. What has not gone out after ``enough`` never will.
    """

    first: timedelta
    longest: timedelta
    enough: timedelta

    def wait(self, tries: int, asked: timedelta | None = None) -> timedelta:
        """How long to wait after so many tries; at least as long as the other side asked for."""
        doubled = self.first * (1 << min(max(tries - 1, 0), 20))
        return max(min(doubled, self.longest), asked or timedelta())

    def wait_untried(self, age: timedelta, asked: timedelta | None = None) -> timedelta:
        """The same without a try to count: as long again as it has been waiting already."""
        return max(min(max(age, self.first), self.longest), asked or timedelta())


def in_words(trouble: str | None) -> str | None:
    """The sentence for what stood in the way; a code of another release is trouble too."""
    if trouble is None:
        return None
    known = {str(each): words for each, words in _WORDS.items()}
    return known.get(trouble, messages.SEND_TROUBLE)


def e164(number: str) -> str:
    """'000-000-0000' as providers take it; the lab's numbers are of the North American plan."""
    found = digits(number) or ""
    return f"+1{found}"
