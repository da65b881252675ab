"""The port: what a way out of the house is given, and what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from app.contract.enumerations import SendStatus
from app.server.transmissions.rules import Outcome, Trouble


@dataclass(frozen=True)
class Parcel:
    """What is sent. Subject and text name no patient; the document may.

    ``key`` is the transmission's and the same for every try, ``number`` is the try's.
    ``destination`` is an address, or a number as '000-000-0000'.
    """

    key: UUID
    number: int
    destination: str
    subject: str
    text: str
    document: bytes | None = None


@dataclass(frozen=True)
class Try:
    """A try of which nobody knows how it ended."""

    key: UUID
    number: int
    destination: str
    started_at: datetime


@dataclass(frozen=True)
class Answer:
    """How a try ended. ``reference`` is the other side's name of it. With ``followed`` it is not
    at its end there and is asked after. ``wait``: the other side wants so much time."""

    outcome: Outcome
    trouble: Trouble | None = None
    reference: str | None = None
    followed: bool = False
    wait: timedelta | None = None


@dataclass(frozen=True)
class Progress:
    """What became of something taken: SENDING, DELIVERED or FAILED; ``final`` failures are not
    tried again."""

    status: SendStatus
    trouble: Trouble | None = None
    final: bool = False


class Sender(Protocol):
    """A way out. None of its verbs raises for what the other side does or does not do."""

    name: str

    async def send(self, parcel: Parcel) -> Answer:
        """Hand it over."""
        ...

    async def find(self, tries: Sequence[Try]) -> str | None:
        """The reference of one of these that the other side has after all, where it can tell.

        Raises:
            Undecided: the other side did not answer; it may know more later.
        """
        ...

    async def follow(self, reference: str) -> Progress | None:
        """What has become of it; None when the other side did not answer."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class Undecided(Exception):
    """Whether something was taken could not be asked."""

    def __init__(self, trouble: Trouble, wait: timedelta | None = None) -> None:
        super().__init__(trouble)
        self.trouble = trouble
        self.wait = wait
