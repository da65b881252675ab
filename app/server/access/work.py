"""What an endpoint is given: the actor, the open transaction, and what the request asks of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Protocol, TypeVar

from fastapi import Depends, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from app.basics.errors import BadInput, FieldError, StaleVersion
from app.contract import messages
from app.server.access.parts import Parts
from app.server.actor import Actor
from app.server.audit.service import note
from app.server.database.statements import Statements, statements_of

_DIGITS_MAX = 18


class Versioned(Protocol):
    """A record, or an answer that carries its record's version."""

    @property
    def version(self) -> int:
        """The version; each change makes it one higher."""
        ...


Record = TypeVar("Record", bound=Versioned)
Made = TypeVar("Made")


@dataclass
class Work:
    """One request's unit of work. The route commits it before the answer starts.

    ``expected_version`` is the If-Match header; None when the caller sent none.
    """

    actor: Actor
    session: AsyncSession
    portal: Parts
    request_id: str = ""
    expected_version: int | None = None

    @property
    def statements(self) -> Statements:
        """The statements that go together, in the session's transaction."""
        return statements_of(self.session)

    def repository(self, kind: Callable[[AsyncSession, Actor], Made]) -> Made:
        """A repository of this kind that reads and writes within the actor's scope."""
        return kind(self.session, self.actor)

    def require_version(self, record: Versioned) -> None:
        """Raises StaleVersion when the request was made for another version of the record."""
        if self.expected_version not in (None, record.version):
            raise StaleVersion(messages.VERSION_STALE)

    async def audit(
        self, action: str, kind: str, ids: list[int], detail: dict[str, Any] | None = None
    ) -> None:
        """Note in the same transaction who did what to which records."""
        note(self.statements, self.actor, self.request_id, action, kind, ids, detail)


def expected_version(header: str | None) -> int | None:
    """The version in an If-Match header (``"3"``).

    Raises:
        BadInput: the header is there and holds no version.
    """
    if header is None or header == "*":
        return None
    text = header.removeprefix("W/").strip('"')
    # A number of thousands of digits is one that Python refuses to read at all.
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS_MAX):
        raise BadInput(
            messages.PARAMETER_INVALID.format(name="If-Match"),
            errors=(FieldError("If-Match", messages.VALUE_INVALID),),
        )
    return int(text)


async def current_work(request: Request) -> Work:
    """The work the route opened for this request."""
    work: Work = request.state.work
    return work


InWork = Annotated[Work, Depends(current_work)]


def with_etag(response: Response, record: Record) -> Record:
    """The record as the answer, its version as the answer's ETag."""
    response.headers["ETag"] = f'"{record.version}"'
    return record
