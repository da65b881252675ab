"""Defers jobs in the transaction of a write, so that a rollback removes them."""

import json
from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import text

from app.server.database.transactions import Transaction
from app.server.request_ids import get_request_id

Argument = int | str
"""Jobs carry ids of records, never their content."""

REQUEST_ID = "requestId"
"""The argument of the request that deferred the job; tasks do not get it."""
_DEFER = text(
    "SELECT jobs.defer_job(CAST(:task AS text), CAST(:arguments AS jsonb),"
    " CAST(:due AS timestamptz))"
)


def build_arguments(arguments: Mapping[str, Argument]) -> str:
    """Build the JSON of a job's arguments, with the id of the current request."""
    return json.dumps({**arguments, REQUEST_ID: get_request_id()})


async def defer_task(
    transaction: Transaction,
    task: str,
    arguments: Mapping[str, Argument],
    due_at: datetime | None = None,
) -> int:
    """Defer the task until this transaction is committed, and return the job's number.

    ``due_at`` is the earliest time to run it; None runs it immediately.
    """
    values = {"task": task, "arguments": build_arguments(arguments), "due": due_at}
    number: int | None = await transaction.session.scalar(_DEFER, values)
    assert number is not None
    return number
