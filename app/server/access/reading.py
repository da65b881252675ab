"""What a read outside a unit of work is given: one statement within the actor's scope."""

from dataclasses import dataclass
from typing import Any

import psycopg
from fastapi import Request

from app.basics.errors import BadInput, Unavailable
from app.contract import messages
from app.server.actor import Actor
from app.server.audit.service import audit_parameters
from app.server.database.pools import Database
from app.server.database.statements import scope_parameters


@dataclass(frozen=True)
class Reading:
    """One request's reads, each a single statement and one round trip (ADR 12)."""

    database: Database
    actor: Actor
    request_id: str = ""

    async def row(self, statement: str, values: dict[str, Any]) -> tuple[Any, ...]:
        """The one row of a statement, which may name ``request_parameters`` beside the values.

        Raises:
            BadInput: the statement was given a value that no column can hold.
            Unavailable: the database did not answer.
        """
        given = {**request_parameters(self.actor, self.request_id), **values}
        # A connection that died while it lay in the pool shows only when used. When one did, the
        # others probably did too (the database was restarted): check them all, then once more.
        for attempt in (1, 2):
            try:
                return await self.database.read(self.actor, statement, given)
            except psycopg.DataError as error:
                raise BadInput(messages.VALIDATION_ERROR) from error
            except psycopg.OperationalError as error:
                if attempt == 2:
                    raise Unavailable(messages.UNAVAILABLE) from error
                await self.database.reads.check()
        raise AssertionError("unreachable")


def request_parameters(actor: Actor, request_id: str) -> dict[str, str]:
    """What every statement may name: the actor's scope, and what an audit row says."""
    return {**scope_parameters(actor), **audit_parameters(actor, request_id)}


def reading_of(request: Request) -> Reading:
    """The reads of this request."""
    state = request.state
    return Reading(request.app.state.portal.database, state.actor, state.request_id)
