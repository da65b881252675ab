"""Defers jobs in the transaction of a write, so that a rollback removes them."""

import json
from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

Argument = int | str
"""Jobs carry ids of records, never their content."""

_DEFER = text(
    "SELECT jobs.defer_job(CAST(:task AS text), CAST(:arguments AS jsonb),"
    " CAST(:due AS timestamptz))"
)


async def defer(
    session: AsyncSession,
    task: str,
    arguments: Mapping[str, Argument],
    due: datetime | None = None,
) -> int:
    """Defer the task until this transaction is committed, and return the job's number.

    ``due`` is the earliest time to run it; None runs it at once.
    """
    values = {"task": task, "arguments": json.dumps(dict(arguments)), "due": due}
    number: int | None = await session.scalar(_DEFER, values)
    assert number is not None
    return number
