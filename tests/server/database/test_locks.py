"""Row locks of records that are about to change."""

import asyncio
import uuid

from fastapi import FastAPI

from app.server.actor import build_worker_actor
from app.server.database.repository import ScopedRepository
from app.server.requisitions.models import Requisition
from tests.server.accounts.builders import Person
from tests.server.world import World

WORKER = build_worker_actor("hold requisitions")


class TestLocking:
    """Repositories' ``lock=True``."""

    async def test_rows_that_refer_to_a_locked_row_are_written_without_waiting(
        self, world: World, portal_app: FastAPI, nurse: Person
    ) -> None:
        requisition = await world.save_requisition(nurse, world.create_patient(nurse.client))
        async with portal_app.state.portal.database.transaction(WORKER) as transaction:
            await transaction.build_repository(ScopedRepository).load_in_scope(
                Requisition, [requisition["id"]], lock=True
            )
            write_request = world.http.put(
                f"/api/v2/requisitions/drafts/{uuid.uuid4()}",
                headers=nurse.headers,
                json={"requisitionId": requisition["id"], "content": {}},
            )
            assert (await asyncio.wait_for(write_request, 5)).status_code == 200

    async def test_a_change_waits_for_another_change(
        self, world: World, portal_app: FastAPI, nurse: Person
    ) -> None:
        requisition = await world.save_requisition(nurse, world.create_patient(nurse.client))
        path = f"/api/v2/requisitions/{requisition['id']}"
        async with portal_app.state.portal.database.transaction(WORKER) as transaction:
            await transaction.build_repository(ScopedRepository).find_one(
                Requisition, requisition["id"], lock=True
            )
            change_task = asyncio.create_task(
                world.http.post(path, headers=nurse.headers, json={"comments": "later"})
            )
            await world.wait_for_lock()
        assert (await change_task).status_code == 200

    async def test_locking_refreshes_a_loaded_record(
        self, world: World, portal_app: FastAPI, nurse: Person
    ) -> None:
        requisition = await world.save_requisition(nurse, world.create_patient(nurse.client))
        async with portal_app.state.portal.database.transaction(WORKER) as transaction:
            repository = transaction.build_repository(ScopedRepository)
            record = await repository.find_one(Requisition, requisition["id"])
            assert record is not None
            path = f"/api/v2/requisitions/{requisition['id']}"
            await world.http.post(path, headers=nurse.headers, json={"comments": "meanwhile"})
            assert record.comments is None
            assert await repository.find_one(Requisition, requisition["id"], lock=True) is record
            refreshed_values: tuple[str | None, int] = record.comments, record.version
            assert refreshed_values == ("meanwhile", requisition["version"] + 1)

    async def test_locking_keeps_pending_changes(
        self, world: World, portal_app: FastAPI, nurse: Person
    ) -> None:
        requisition = await world.save_requisition(nurse, world.create_patient(nurse.client))
        async with portal_app.state.portal.database.transaction(WORKER) as transaction:
            repository = transaction.build_repository(ScopedRepository)
            record = await repository.find_one(Requisition, requisition["id"])
            assert record is not None
            record.comments = "changed here"
            records = await repository.load_in_scope(Requisition, [requisition["id"]], lock=True)
            assert records[requisition["id"]].comments == "changed here"
