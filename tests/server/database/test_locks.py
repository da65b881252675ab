"""What is looked at to be changed is held, and is as it is now."""

import asyncio
import uuid

from fastapi import FastAPI

from app.server.actor import worker
from app.server.database.repository import ScopedRepository
from app.server.requisitions.models import Requisition
from tests.server.world import Person, World

WORKER = worker("hold requisitions")


class TestLocking:
    """Repositories' ``lock=True``."""

    async def test_what_refers_to_a_held_row_is_written_without_waiting(
        self, world: World, portal_app: FastAPI, nurse: Person
    ) -> None:
        saved = await world.requisition(nurse, world.patient(nurse.client))
        async with portal_app.state.portal.database.transaction(WORKER) as session:
            await ScopedRepository(session, WORKER).many(Requisition, [saved["id"]], lock=True)
            writing = world.http.put(
                f"/api/v2/requisitions/drafts/{uuid.uuid4()}",
                headers=nurse.headers,
                json={"requisitionId": saved["id"], "content": {}},
            )
            assert (await asyncio.wait_for(writing, 5)).status_code == 200

    async def test_a_change_waits_for_another_change(
        self, world: World, portal_app: FastAPI, nurse: Person
    ) -> None:
        saved = await world.requisition(nurse, world.patient(nurse.client))
        path = f"/api/v2/requisitions/{saved['id']}"
        async with portal_app.state.portal.database.transaction(WORKER) as session:
            await ScopedRepository(session, WORKER).one(Requisition, saved["id"], lock=True)
            changing = asyncio.create_task(
                world.http.post(path, headers=nurse.headers, json={"comments": "later"})
            )
            await world.somebody_waits()
        assert (await changing).status_code == 200

    async def test_a_record_looked_at_before_is_brought_up_to_date(
        self, world: World, portal_app: FastAPI, nurse: Person
    ) -> None:
        saved = await world.requisition(nurse, world.patient(nurse.client))
        async with portal_app.state.portal.database.transaction(WORKER) as session:
            repository = ScopedRepository(session, WORKER)
            seen = await repository.one(Requisition, saved["id"])
            assert seen is not None
            path = f"/api/v2/requisitions/{saved['id']}"
            await world.http.post(path, headers=nurse.headers, json={"comments": "meanwhile"})
            assert seen.comments is None
            assert await repository.one(Requisition, saved["id"], lock=True) is seen
            now: tuple[str | None, int] = seen.comments, seen.version
            assert now == ("meanwhile", saved["version"] + 1)

    async def test_what_was_changed_of_it_here_is_kept(
        self, world: World, portal_app: FastAPI, nurse: Person
    ) -> None:
        saved = await world.requisition(nurse, world.patient(nurse.client))
        async with portal_app.state.portal.database.transaction(WORKER) as session:
            repository = ScopedRepository(session, WORKER)
            seen = await repository.one(Requisition, saved["id"])
            assert seen is not None
            seen.comments = "changed here"
            found = await repository.many(Requisition, [saved["id"]], lock=True)
            assert found[saved["id"]].comments == "changed here"
