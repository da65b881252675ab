"""The unit of work of a request or job, and the version that a request expects."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Protocol, TypeVar

from fastapi import Depends, Request, Response

from app.basics.errors import BadInput, FieldError, StaleVersion
from app.contract import messages
from app.server.access.parts import PortalParts
from app.server.audit.service import add_audit_row
from app.server.database.transactions import Transaction
from app.server.request_ids import get_request_id

_DIGITS_MAX = 18


class Versioned(Protocol):
    """A record, or a response that carries its record's version."""

    @property
    def version(self) -> int:
        """The version, which each change increments."""
        ...


Record = TypeVar("Record", bound=Versioned)


class Work(Transaction):
    """The unit of work of a request or job: an open transaction with the portal's parts.

    The route commits a request's before the response starts. ``expected_version`` comes from the
    If-Match header; None when the request has none.
    """

    def __init__(
        self,
        transaction: Transaction,
        portal: PortalParts,
        request_id: str | None = None,
        expected_version: int | None = None,
    ) -> None:
        super().__init__(transaction.actor, transaction.session, transaction.statements)
        self.portal = portal
        self.request_id = get_request_id() if request_id is None else request_id
        self.expected_version = expected_version

    def require_version(self, record: Versioned) -> None:
        """Raise StaleVersion when the request expects another version of the record."""
        require_expected_version(record, self.expected_version)

    async def audit(
        self, action: str, kind: str, ids: list[int], detail: dict[str, Any] | None = None
    ) -> None:
        """Record in the same transaction who did what to which records."""
        add_audit_row(self.statements, self.actor, self.request_id, action, kind, ids, detail)


def require_expected_version(
    record: Versioned, expected_version: int | None, message: str = messages.VERSION_STALE
) -> None:
    """Raise StaleVersion when another version of the record is expected; None expects any."""
    if expected_version not in (None, record.version):
        raise StaleVersion(message)


def parse_if_match(header: str | None) -> int | None:
    """Parse the version in an If-Match header (``"3"``); None without a header or for ``*``.

    Raises:
        BadInput: the header has no version.
    """
    if header is None or header == "*":
        return None
    text = header.removeprefix("W/").strip('"')
    # Python raises ValueError for numbers of thousands of digits.
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS_MAX):
        raise BadInput(
            messages.PARAMETER_INVALID.format(name="If-Match"),
            errors=(FieldError("If-Match", messages.VALUE_INVALID),),
        )
    return int(text)


async def get_work(request: Request) -> Work:
    """Return the unit of work that the route opened for this request."""
    work: Work = request.state.work
    return work


InWork = Annotated[Work, Depends(get_work)]


@asynccontextmanager
async def open_work(request: Request) -> AsyncIterator[Work]:
    """Open a unit of work with a separate transaction, in a route that has none."""
    portal, actor = request.app.state.portal, request.state.actor
    async with portal.database.transaction(actor) as transaction:
        yield Work(transaction, portal, request.state.request_id)


def set_etag(response: Response, record: Record) -> Record:
    """Set the response's ETag to the record's version, and return the record."""
    response.headers["ETag"] = f'"{record.version}"'
    return record
