"""Puts jobs in: in the writer's own transaction, so that a rollback takes them back."""

import json
from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

Argument = int | str
"""Jobs name records and never carry what is in them."""

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
    """Have the task done once this transaction is committed; answers the job's number.

    ``due`` is the earliest instant; None is at once.
    """
    values = {"task": task, "arguments": json.dumps(dict(arguments)), "due": due}
    number: int | None = await session.scalar(_DEFER, values)
    assert number is not None
    return number
