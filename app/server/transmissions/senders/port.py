"""The protocol of senders, with its arguments and results."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from app.contract.enumerations import SendStatus
from app.server.request_ids import get_request_id
from app.server.transmissions.rules import Outcome, Trouble


@dataclass(frozen=True)
class Delivery:
    """The content of an attempt. Only the document may name a patient, not subject and text.

    Attributes:
        key: the transmission's key, the same for every attempt.
        number: the attempt's number.
        destination: an address, or a number as '000-000-0000'.
        file_name: the document's name.
        html: the text for mail programs that show HTML.
        reply_to: an ASCII address.
        request_id: the id of the request that asked for the transmission.
        repeated_number: the number of the first attempt that this one repeats, if any.
    """

    key: UUID
    number: int
    destination: str
    subject: str
    text: str
    document: bytes | None = None
    file_name: str = "requisitions.pdf"
    html: str | None = None
    reply_to: str | None = None
    request_id: str = field(default_factory=get_request_id)
    repeated_number: int | None = None


@dataclass(frozen=True)
class UndecidedAttempt:
    """An attempt whose outcome is unknown."""

    key: UUID
    number: int
    destination: str
    started_at: datetime


@dataclass(frozen=True)
class SendResult:
    """The result of an attempt.

    Attributes:
        reference: the provider's id.
        is_pending: whether the provider has accepted it, and its progress has to be followed.
        wait: the wait that the other side requested.
    """

    outcome: Outcome
    trouble: Trouble | None = None
    reference: str | None = None
    is_pending: bool = False
    wait: timedelta | None = None


@dataclass(frozen=True)
class Progress:
    """The progress of an accepted delivery: SENDING, DELIVERED or FAILED.

    A failure that ``is_final`` is not tried again. One that ``is_unknown`` may have been delivered:
    the other side does not know what it has accepted.
    """

    status: SendStatus
    trouble: Trouble | None = None
    is_final: bool = False
    is_unknown: bool = False


class Sender(Protocol):
    """A sender of deliveries; failures of the other side are results, not exceptions."""

    name: str

    @property
    def turn(self) -> AbstractAsyncContextManager[object]:
        """The context of an attempt, from its start until its outcome is committed.

        A worker that is killed meanwhile leaves an attempt that may have been accepted. Where the
        other side cannot be asked, a worker has one such attempt at a time.
        """
        ...

    async def send(self, delivery: Delivery) -> SendResult:
        """Attempt a delivery."""
        ...

    async def find_accepted_attempt(self, attempts: Sequence[UndecidedAttempt]) -> str | None:
        """Return the reference of an attempt that the other side has accepted, or None.

        Raises:
            Undecided: the other side did not answer; it may know more later.
        """
        ...

    async def get_progress(self, reference: str) -> Progress | None:
        """Return the progress of an accepted delivery, or None if there is no answer."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


class Undecided(Exception):
    """The other side did not know whether it accepted an attempt."""

    def __init__(self, trouble: Trouble, wait: timedelta | None = None) -> None:
        super().__init__(trouble)
        self.trouble = trouble
        self.wait = wait
