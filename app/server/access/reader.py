"""Reads outside a unit of work, within the actor's scope."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import psycopg
from fastapi import Request

from app.basics.errors import BadInput, Unavailable
from app.contract import messages
from app.server.actor import Actor
from app.server.audit.service import build_audit_parameters
from app.server.database.pools import Database
from app.server.database.statements import build_scope_parameters

T = TypeVar("T")


class TooSlow(Exception):
    """A read took longer than allowed; its caller explains to the person what to do."""


@dataclass(frozen=True)
class Reader:
    """The reads of one request, each one round trip (ADR 12)."""

    database: Database
    actor: Actor
    request_id: str = ""

    async def fetch_row(
        self,
        statement: str,
        values: dict[str, Any],
        *,
        seconds_max: float | None = None,
        is_record: bool = False,
    ) -> tuple[Any, ...]:
        """Return the single row of a statement.

        The statement may use the names of ``build_request_parameters`` besides those of ``values``.
        ``is_record`` says that the statement begins at the id of one record.

        Raises:
            BadInput: a value does not fit the type of its column.
            TooSlow: the statement took longer than ``seconds_max``.
            Unavailable: the database did not answer.
        """
        parameters = {**build_request_parameters(self.actor, self.request_id), **values}
        return await self._read(
            lambda: self.database.read(
                self.actor,
                statement,
                parameters,
                seconds_max=seconds_max,
                is_record=is_record,
            ),
            seconds_max,
        )

    async def fetch_page(
        self,
        page_statement: str,
        rows_statement: str,
        values: dict[str, Any],
        *,
        seconds_max: float | None = None,
    ) -> tuple[tuple[Any, ...], str]:
        """Return the row of a page's statement, and its rows as JSON (ADR 119).

        Raises:
            BadInput, TooSlow, Unavailable: as ``fetch_row`` does.
        """
        parameters = {**build_request_parameters(self.actor, self.request_id), **values}
        return await self._read(
            lambda: self.database.read_page(
                self.actor, page_statement, rows_statement, parameters, seconds_max=seconds_max
            ),
            seconds_max,
        )

    async def _read(self, read: Callable[[], Awaitable[T]], seconds_max: float | None) -> T:
        # A pooled connection that has died fails only on use. The others have probably died too
        # (the database was restarted), so check them all before the second attempt.
        for attempt in (1, 2):
            try:
                return await read()
            except psycopg.DataError as error:
                raise BadInput(messages.VALIDATION_ERROR) from error
            except psycopg.errors.QueryCanceled as error:
                if seconds_max is None:
                    raise Unavailable(messages.UNAVAILABLE) from error
                raise TooSlow from error
            except psycopg.OperationalError as error:
                if attempt == 2:
                    raise Unavailable(messages.UNAVAILABLE) from error
                await self.database.reads.check()
        raise AssertionError("unreachable")


def build_request_parameters(actor: Actor, request_id: str) -> dict[str, str]:
    """Return what every statement may use: the actor's scope and the values of an audit row."""
    return {**build_scope_parameters(actor), **build_audit_parameters(actor, request_id)}


def get_reader(request: Request) -> Reader:
    """Return the reader of this request."""
    state = request.state
    return Reader(request.app.state.portal.database, state.actor, state.request_id)
