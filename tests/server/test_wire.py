"""A trace counts the statements of a test's own requests, not those of the portal's loops."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.contract.enumerations import ScopeKind
from app.server.actor import Actor
from app.server.database.pools import Database
from tests.server.wire import Wire, trace_reads, trace_wire

STAFF = Actor(ScopeKind.STAFF)

Trace = Callable[[Database], AbstractContextManager[Wire]]


async def write(database: Database) -> None:
    """Execute a statement with the write engine."""
    async with database.transaction(STAFF) as transaction:
        await transaction.session.execute(text("SELECT 1"))


async def read(database: Database) -> None:
    """Execute a statement with the read pool."""
    await database.read(STAFF, "SELECT 1", {})


@pytest.mark.parametrize(("trace", "use"), [(trace_wire, write), (trace_reads, read)])
async def test_counts_statements_of_own_tasks_only(
    portal_app: FastAPI, trace: Trace, use: Callable[[Database], Awaitable[None]]
) -> None:
    database = portal_app.state.portal.database
    may_start = asyncio.Event()

    async def use_later() -> None:
        await may_start.wait()
        await use(database)

    older_task = asyncio.create_task(use_later())
    with trace(database) as traffic:
        may_start.set()
        await older_task
    assert traffic.round_trips == 0
    with trace(database) as traffic:
        await asyncio.create_task(use_later())
    assert traffic.round_trips > 0
