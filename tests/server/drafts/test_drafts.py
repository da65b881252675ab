"""Drafts of requisitions: storing, saving, expiry, and who sees them."""

import asyncio
import uuid
from typing import Any

import pytest
from fastapi import FastAPI

from app.contract import messages
from app.contract.limits import DRAFT_MAX_BYTES, DRAFT_RETENTION_DAYS, DRAFTS_MAX
from app.server.jobs.worker import run_worker
from app.server.worker import PERIODIC
from tests.server.accounts.builders import Person
from tests.server.world import World

BASE = "/api/v2/requisitions/drafts"


async def store_draft(world: World, person: Person, draft_id: str, **body):
    """PUT a draft and return the response."""
    return await world.http.put(
        f"{BASE}/{draft_id}", headers=person.headers, json={"content": {}, **body}
    )


async def list_drafts(
    world: World, person: Person, requisition_id: int | None = None
) -> list[dict]:
    """Return the drafts that the portal offers."""
    query = "" if requisition_id is None else f"?requisitionId={requisition_id}"
    answer = await world.http.get(BASE + query, headers=person.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


class TestStoring:
    """PUT, GET and DELETE."""

    async def test_returns_the_latest_content(self, world: World, nurse) -> None:
        patient, draft = world.create_patient(nurse.client), str(uuid.uuid4())
        await store_draft(world, nurse, draft, content={"comments": "one"})
        await store_draft(world, nurse, draft, patientId=patient, content={"comments": "two"})
        drafts = await list_drafts(world, nurse)
        assert [(d["id"], d["patientId"], d["content"]) for d in drafts] == [
            (draft, patient, {"comments": "two"})
        ]

    async def test_lists_drafts_of_new_and_saved_requisitions_separately(
        self, world: World, nurse
    ) -> None:
        requisition = await world.save_requisition(nurse, world.create_patient(nurse.client))
        of_new, of_saved = str(uuid.uuid4()), str(uuid.uuid4())
        await store_draft(world, nurse, of_new)
        await store_draft(world, nurse, of_saved, requisitionId=requisition["id"])
        assert [d["id"] for d in await list_drafts(world, nurse)] == [of_new]
        assert [d["id"] for d in await list_drafts(world, nurse, requisition["id"])] == [of_saved]

    async def test_deletes_a_draft(self, world: World, nurse) -> None:
        draft = str(uuid.uuid4())
        await store_draft(world, nurse, draft)
        delete_answer = await world.http.delete(f"{BASE}/{draft}", headers=nurse.headers)
        assert delete_answer.status_code == 204
        assert await list_drafts(world, nurse) == []

    async def test_deletes_the_oldest_drafts_beyond_the_limit(self, world: World, nurse) -> None:
        drafts = [str(uuid.uuid4()) for _ in range(DRAFTS_MAX + 2)]
        patient = world.create_patient(nurse.client)
        for draft in drafts:
            await store_draft(world, nurse, draft, patientId=patient)
        assert {d["id"] for d in await list_drafts(world, nurse)} == set(drafts[2:])
        assert world.fetch_rows(
            "SELECT record_ids, detail->'drafts' FROM audit_events WHERE kind = 'patient-draft'"
            " AND action = 'remove' AND user_id = %s ORDER BY id",
            (nurse.user_id,),
        ) == [([patient], [drafts[0]]), ([patient], [drafts[1]])]

    async def test_rejects_too_large_drafts(self, world: World, nurse) -> None:
        answer = await store_draft(
            world, nurse, str(uuid.uuid4()), content={"comments": "x" * DRAFT_MAX_BYTES}
        )
        assert answer.status_code == 413
        assert answer.json()["errors"] == [{"field": "content", "message": messages.BODY_TOO_LARGE}]

    @pytest.mark.parametrize("kind", [dict, list])
    async def test_rejects_too_deeply_nested_drafts(self, world: World, nurse, kind: type) -> None:
        for depth, status in ((99, 200), (100, 400), (250, 400), (900, 400)):
            content: Any = "x"
            for _ in range(depth):
                content = {"a": content} if kind is dict else [content]
            answer = await store_draft(
                world, nurse, str(uuid.uuid4()), content={"comments": content}
            )
            assert answer.status_code == status, depth
        assert answer.json()["errors"] == [
            {"field": "content", "message": messages.CONTENT_TOO_DEEP}
        ]

    async def test_stores_the_later_of_two_concurrent_first_writes(
        self, world: World, nurse
    ) -> None:
        draft = str(uuid.uuid4())
        answer = await world.commit_meanwhile(
            "INSERT INTO requisition_drafts (id, user_id, content, saved_at)"
            ' VALUES (%s, %s, \'{"comments": "first"}\', now())',
            (draft, nurse.user_id),
            store_draft(world, nurse, draft, content={"comments": "later"}),
        )
        assert answer.status_code == 200, answer.text
        [stored_draft] = await list_drafts(world, nurse)
        assert stored_draft["content"] == {"comments": "later"}

    async def test_deletes_expired_drafts(
        self, world: World, nurse, portal_app: FastAPI, app_url: str
    ) -> None:
        old, young = str(uuid.uuid4()), str(uuid.uuid4())
        patient = world.create_patient(nurse.client)
        for draft in (old, young):
            await store_draft(world, nurse, draft, patientId=patient)
        for draft, days in (
            (old, DRAFT_RETENTION_DAYS + 0.01),
            (young, DRAFT_RETENTION_DAYS - 0.01),
        ):
            world.run_sql(
                "UPDATE requisition_drafts SET saved_at = now() - %s * interval '1 day'"
                " WHERE id = %s",
                (days, draft),
            )
        portal = portal_app.state.portal
        # Without a run in this hour, the first worker to start runs the job.
        world.run_sql("DELETE FROM jobs.procrastinate_periodic_defers RETURNING id")
        worker = asyncio.create_task(
            run_worker(app_url, [], portal, poll_seconds=1, periodic=PERIODIC)
        )
        try:
            for _ in range(200):
                remaining_drafts = world.fetch_rows(
                    "SELECT id::text FROM requisition_drafts WHERE id = ANY(%s::uuid[])",
                    ([old, young],),
                )
                if len(remaining_drafts) == 1:
                    break
                await asyncio.sleep(0.05)
        finally:
            worker.cancel()
            await asyncio.gather(worker, return_exceptions=True)
        assert remaining_drafts == [(young,)]
        [event] = world.fetch_rows(
            "SELECT action, user_id, role, detail->'drafts' FROM audit_events"
            " WHERE kind = 'patient-draft' AND record_ids = %s::bigint[] AND role = 'worker'",
            ([patient],),
        )
        assert event == ("remove", None, "worker", [old])

    async def test_audits_every_action_with_its_patient(self, world: World, nurse) -> None:
        patient, draft, draft_without_patient = (
            world.create_patient(nurse.client),
            str(uuid.uuid4()),
            str(uuid.uuid4()),
        )
        await store_draft(world, nurse, draft, patientId=patient)
        await store_draft(world, nurse, draft_without_patient)
        await list_drafts(world, nurse)
        await world.http.delete(f"{BASE}/{draft}", headers=nurse.headers)
        events = world.fetch_rows(
            "SELECT action, record_ids, detail->'drafts' FROM audit_events"
            " WHERE kind = 'patient-draft' AND user_id = %s ORDER BY id",
            (nurse.user_id,),
        )
        assert events == [
            ("keep", [patient], [draft]),
            ("keep", [], [draft_without_patient]),
            ("read", [patient], [draft_without_patient, draft]),
            ("remove", [patient], [draft]),
        ]


async def save_from_draft(
    world: World, person: Person, patient: int, draft: str, path: str = "", **values
):
    """POST a requisition from the form of this draft and return the response."""
    return await world.http.post(
        f"/api/v2/requisitions{path}?draftId={draft}",
        headers=person.headers,
        json=world.build_requisition_body(patient, **values),
    )


class TestSaving:
    """Saving a draft's content deletes the draft in the same transaction."""

    async def test_saving_deletes_the_draft(self, world: World, nurse) -> None:
        patient, draft = world.create_patient(nurse.client), str(uuid.uuid4())
        await store_draft(world, nurse, draft, patientId=patient, content={"comments": "x"})
        assert (await save_from_draft(world, nurse, patient, draft)).status_code == 201
        assert await list_drafts(world, nurse) == []
        [event] = world.fetch_rows(
            "SELECT record_ids, detail->'drafts' FROM audit_events WHERE kind = 'patient-draft'"
            " AND action = 'remove' AND user_id = %s",
            (nurse.user_id,),
        )
        assert event == ([patient], [draft])

    async def test_a_draft_stored_after_the_save_belongs_to_the_saved_requisition(
        self, world: World, nurse
    ) -> None:
        """A form that received no answer to its save continues to store drafts."""
        patient, draft = world.create_patient(nurse.client), str(uuid.uuid4())
        requisition = (await save_from_draft(world, nurse, patient, draft)).json()["id"]
        answer = await store_draft(
            world, nurse, draft, patientId=patient, content={"comments": "more"}
        )
        assert answer.json()["requisitionId"] == requisition
        assert await list_drafts(world, nurse) == []
        [stored_draft] = await list_drafts(world, nurse, requisition)
        assert (stored_draft["id"], stored_draft["content"]) == (draft, {"comments": "more"})

    async def test_a_rejected_save_does_not_delete_the_draft(self, world: World, nurse) -> None:
        patient, draft = world.create_patient(nurse.client), str(uuid.uuid4())
        await store_draft(world, nurse, draft, patientId=patient)
        assert (await save_from_draft(world, nurse, patient, draft, tests=[])).status_code == 400
        assert [d["id"] for d in await list_drafts(world, nurse)] == [draft]

    async def test_updating_a_requisition_deletes_its_draft(self, world: World, nurse) -> None:
        patient, draft = world.create_patient(nurse.client), str(uuid.uuid4())
        requisition = (await world.save_requisition(nurse, patient))["id"]
        await store_draft(world, nurse, draft, requisitionId=requisition, patientId=patient)
        answer = await save_from_draft(world, nurse, patient, draft, path=f"/{requisition}")
        assert answer.status_code == 200, answer.text
        assert await list_drafts(world, nurse, requisition) == []

    async def test_saving_does_not_delete_a_colleagues_draft(self, world: World, nurse) -> None:
        colleague = await world.create_person("Client Basic", client_ids=[nurse.client])
        patient, draft = world.create_patient(nurse.client), str(uuid.uuid4())
        await store_draft(world, nurse, draft, patientId=patient, content={"comments": "hers"})
        assert (await save_from_draft(world, colleague, patient, draft)).status_code == 201
        assert [d["content"] for d in await list_drafts(world, nurse)] == [{"comments": "hers"}]

    async def test_saved_drafts_do_not_count_toward_the_limit(self, world: World, nurse) -> None:
        patient, draft = world.create_patient(nurse.client), str(uuid.uuid4())
        await store_draft(world, nurse, draft, patientId=patient)
        for _ in range(DRAFTS_MAX):
            await save_from_draft(world, nurse, patient, str(uuid.uuid4()))
        await store_draft(world, nurse, str(uuid.uuid4()), patientId=patient)
        assert draft in [d["id"] for d in await list_drafts(world, nurse)]


class TestVisibility:
    """Drafts are visible to their writer, while the patient or the requisition is in scope."""

    async def test_colleagues_cannot_see_or_change_a_draft(self, world: World, nurse) -> None:
        colleague = await world.create_person("Client Basic", client_ids=[nurse.client])
        draft = str(uuid.uuid4())
        await store_draft(world, nurse, draft, patientId=world.create_patient(nurse.client))
        assert await list_drafts(world, colleague) == []
        answer = await store_draft(world, colleague, draft, content={"comments": "mine"})
        assert answer.status_code == 404
        assert (await list_drafts(world, nurse))[0]["content"] == {}

    async def test_drafts_of_patients_who_left_the_client_are_hidden(
        self, world: World, nurse
    ) -> None:
        patient = world.create_patient(nurse.client)
        await store_draft(world, nurse, str(uuid.uuid4()), patientId=patient)
        world.run_sql(
            "UPDATE patients SET client_id = %s WHERE id = %s", (world.create_client(), patient)
        )
        assert await list_drafts(world, nurse) == []

    async def test_a_physician_drafts_own_requisitions_of_a_colleagues_patient(
        self, world: World
    ) -> None:
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        mine, primary = world.create_physician(client), world.create_physician(client)
        patient = world.create_patient(client, physician=primary)
        requisition = await world.save_requisition(nurse, patient, physicianId=mine)
        physician = await world.create_person("Physician", physician_ids=[mine])
        draft = str(uuid.uuid4())
        body = {"patientId": patient, "content": {"comments": "more"}}
        answer = await store_draft(world, physician, draft, requisitionId=requisition["id"], **body)
        assert answer.status_code == 200, answer.text
        [stored_draft] = await list_drafts(world, physician, requisition["id"])
        assert (stored_draft["id"], stored_draft["content"]) == (draft, {"comments": "more"})

        new = await store_draft(world, physician, str(uuid.uuid4()), **body)
        another_patient = world.create_patient(client, physician=primary)
        change_answer = await store_draft(
            world, physician, draft, requisitionId=requisition["id"], patientId=another_patient
        )
        assert (new.status_code, change_answer.status_code) == (404, 404)
        world.run_sql(
            "UPDATE requisitions SET physician_id = %s WHERE id = %s RETURNING 1",
            (primary, requisition["id"]),
        )
        assert await list_drafts(world, physician, requisition["id"]) == []

    @pytest.mark.parametrize("field", ["patientId", "requisitionId"])
    async def test_rejects_records_of_other_clients(self, world: World, nurse, field: str) -> None:
        other_client = world.create_client()
        stranger = await world.create_person("Client Basic", client_ids=[other_client])
        patient = world.create_patient(other_client)
        foreign = {
            "patientId": patient,
            "requisitionId": (await world.save_requisition(stranger, patient))["id"],
        }[field]
        draft = str(uuid.uuid4())
        rejected_answer = await store_draft(world, nurse, draft, **{field: foreign})
        nonexistent = await store_draft(world, nurse, draft, **{field: 9_007_199_254_740_000})
        assert rejected_answer.status_code == 404
        assert rejected_answer.content == nonexistent.content
        assert await list_drafts(world, nurse) == []
