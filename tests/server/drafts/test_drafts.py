"""Unsaved work on requisitions survives, for its writer alone."""

import asyncio
import uuid
from typing import Any

import pytest
from fastapi import FastAPI

from app.contract import messages
from app.contract.limits import DRAFT_MAX_BYTES, DRAFTS_KEPT, DRAFTS_KEPT_DAYS
from app.server.jobs.worker import work
from app.server.work import PERIODIC
from tests.server.world import Person, World

BASE = "/api/v2/requisitions/drafts"


async def keep(world: World, person: Person, draft_id: str, **body):
    """PUT a draft."""
    return await world.http.put(
        f"{BASE}/{draft_id}", headers=person.headers, json={"content": {}, **body}
    )


async def offered(world: World, person: Person, requisition_id: int | None = None) -> list[dict]:
    """The drafts that the portal offers."""
    query = "" if requisition_id is None else f"?requisitionId={requisition_id}"
    answer = await world.http.get(BASE + query, headers=person.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


class TestKeeping:
    """PUT, GET and DELETE."""

    async def test_a_draft_comes_back_as_it_was_kept_last(self, world: World, nurse) -> None:
        patient, draft = world.patient(nurse.client), str(uuid.uuid4())
        await keep(world, nurse, draft, content={"comments": "one"})
        await keep(world, nurse, draft, patientId=patient, content={"comments": "two"})
        found = await offered(world, nurse)
        assert [(d["id"], d["patientId"], d["content"]) for d in found] == [
            (draft, patient, {"comments": "two"})
        ]

    async def test_drafts_of_new_and_of_saved_requisitions_do_not_mix(
        self, world: World, nurse
    ) -> None:
        saved = await world.requisition(nurse, world.patient(nurse.client))
        about_new, about_saved = str(uuid.uuid4()), str(uuid.uuid4())
        await keep(world, nurse, about_new)
        await keep(world, nurse, about_saved, requisitionId=saved["id"])
        assert [d["id"] for d in await offered(world, nurse)] == [about_new]
        assert [d["id"] for d in await offered(world, nurse, saved["id"])] == [about_saved]

    async def test_a_dropped_draft_is_gone(self, world: World, nurse) -> None:
        draft = str(uuid.uuid4())
        await keep(world, nurse, draft)
        gone = await world.http.delete(f"{BASE}/{draft}", headers=nurse.headers)
        assert gone.status_code == 204
        assert await offered(world, nurse) == []

    async def test_the_oldest_beyond_the_limit_go(self, world: World, nurse) -> None:
        drafts = [str(uuid.uuid4()) for _ in range(DRAFTS_KEPT + 2)]
        patient = world.patient(nurse.client)
        for draft in drafts:
            await keep(world, nurse, draft, patientId=patient)
        assert {d["id"] for d in await offered(world, nurse)} == set(drafts[2:])
        assert world.rows(
            "SELECT record_ids, detail->'drafts' FROM audit_events WHERE kind = 'patient-draft'"
            " AND action = 'remove' AND user_id = %s ORDER BY id",
            (nurse.user_id,),
        ) == [([patient], [drafts[0]]), ([patient], [drafts[1]])]

    async def test_one_that_is_too_large_is_refused(self, world: World, nurse) -> None:
        answer = await keep(
            world, nurse, str(uuid.uuid4()), content={"comments": "x" * DRAFT_MAX_BYTES}
        )
        assert answer.status_code == 413
        assert answer.json()["errors"] == [{"field": "content", "message": messages.BODY_TOO_LARGE}]

    @pytest.mark.parametrize("kind", [dict, list])
    async def test_one_that_is_nested_too_deeply_is_refused(
        self, world: World, nurse, kind: type
    ) -> None:
        for depth, status in ((99, 200), (100, 400), (250, 400), (900, 400)):
            content: Any = "x"
            for _ in range(depth):
                content = {"a": content} if kind is dict else [content]
            answer = await keep(world, nurse, str(uuid.uuid4()), content={"comments": content})
            assert answer.status_code == status, depth
        assert answer.json()["errors"] == [
            {"field": "content", "message": messages.CONTENT_TOO_DEEP}
        ]

    async def test_of_two_first_saves_at_once_the_later_one_stays(
        self, world: World, nurse
    ) -> None:
        draft = str(uuid.uuid4())
        answer = await world.commit_meanwhile(
            "INSERT INTO requisition_drafts (id, user_id, content, saved_at)"
            ' VALUES (%s, %s, \'{"comments": "first"}\', now())',
            (draft, nurse.user_id),
            keep(world, nurse, draft, content={"comments": "later"}),
        )
        assert answer.status_code == 200, answer.text
        [found] = await offered(world, nurse)
        assert found["content"] == {"comments": "later"}

    async def test_old_ones_are_deleted(
        self, world: World, nurse, portal_app: FastAPI, app_url: str
    ) -> None:
        old, young = str(uuid.uuid4()), str(uuid.uuid4())
        patient = world.patient(nurse.client)
        for draft in (old, young):
            await keep(world, nurse, draft, patientId=patient)
        for draft, days in ((old, DRAFTS_KEPT_DAYS + 0.01), (young, DRAFTS_KEPT_DAYS - 0.01)):
            world.sql(
                "UPDATE requisition_drafts SET saved_at = now() - %s * interval '1 day'"
                " WHERE id = %s",
                (days, draft),
            )
        portal = portal_app.state.portal
        # As if no worker had run in this hour: the first to start makes up for it.
        world.sql("DELETE FROM jobs.procrastinate_periodic_defers RETURNING id")
        worker = asyncio.create_task(work(app_url, [], portal, poll_seconds=1, periodic=PERIODIC))
        try:
            for _ in range(200):
                kept = world.rows(
                    "SELECT id::text FROM requisition_drafts WHERE id = ANY(%s::uuid[])",
                    ([old, young],),
                )
                if len(kept) == 1:
                    break
                await asyncio.sleep(0.05)
        finally:
            worker.cancel()
            await asyncio.gather(worker, return_exceptions=True)
        assert kept == [(young,)]
        [journal] = world.rows(
            "SELECT action, user_id, role, detail->'drafts' FROM audit_events"
            " WHERE kind = 'patient-draft' AND record_ids = %s::bigint[] AND role = 'worker'",
            ([patient],),
        )
        assert journal == ("remove", None, "worker", [old])

    async def test_the_journal_says_who_did_what_with_whose(self, world: World, nurse) -> None:
        patient, about, without = world.patient(nurse.client), str(uuid.uuid4()), str(uuid.uuid4())
        await keep(world, nurse, about, patientId=patient)
        await keep(world, nurse, without)
        await offered(world, nurse)
        await world.http.delete(f"{BASE}/{about}", headers=nurse.headers)
        journal = world.rows(
            "SELECT action, record_ids, detail->'drafts' FROM audit_events"
            " WHERE kind = 'patient-draft' AND user_id = %s ORDER BY id",
            (nurse.user_id,),
        )
        assert journal == [
            ("keep", [patient], [about]),
            ("keep", [], [without]),
            ("read", [patient], [without, about]),
            ("remove", [patient], [about]),
        ]


async def save(world: World, person: Person, patient: int, draft: str, path: str = "", **values):
    """POST a requisition that was typed in a form of this draft."""
    return await world.http.post(
        f"/api/v2/requisitions{path}?draftId={draft}",
        headers=person.headers,
        json=world.requisition_body(patient, **values),
    )


class TestSaving:
    """A draft goes in the transaction that saves what it held: nobody makes it twice of it."""

    async def test_a_draft_goes_with_its_save(self, world: World, nurse) -> None:
        patient, draft = world.patient(nurse.client), str(uuid.uuid4())
        await keep(world, nurse, draft, patientId=patient, content={"comments": "x"})
        assert (await save(world, nurse, patient, draft)).status_code == 201
        assert await offered(world, nurse) == []
        [removed] = world.rows(
            "SELECT record_ids, detail->'drafts' FROM audit_events WHERE kind = 'patient-draft'"
            " AND action = 'remove' AND user_id = %s",
            (nurse.user_id,),
        )
        assert removed == ([patient], [draft])

    async def test_what_is_kept_later_is_about_the_saved_one(self, world: World, nurse) -> None:
        """The form whose save got no answer goes on keeping what is typed in it."""
        patient, draft = world.patient(nurse.client), str(uuid.uuid4())
        saved = (await save(world, nurse, patient, draft)).json()["id"]
        kept = await keep(world, nurse, draft, patientId=patient, content={"comments": "more"})
        assert kept.json()["requisitionId"] == saved
        assert await offered(world, nurse) == []
        [found] = await offered(world, nurse, saved)
        assert (found["id"], found["content"]) == (draft, {"comments": "more"})

    async def test_a_refused_save_leaves_it(self, world: World, nurse) -> None:
        patient, draft = world.patient(nurse.client), str(uuid.uuid4())
        await keep(world, nurse, draft, patientId=patient)
        assert (await save(world, nurse, patient, draft, tests=[])).status_code == 400
        assert [d["id"] for d in await offered(world, nurse)] == [draft]

    async def test_a_change_takes_its_draft_too(self, world: World, nurse) -> None:
        patient, draft = world.patient(nurse.client), str(uuid.uuid4())
        saved = (await world.requisition(nurse, patient))["id"]
        await keep(world, nurse, draft, requisitionId=saved, patientId=patient)
        answer = await save(world, nurse, patient, draft, path=f"/{saved}")
        assert answer.status_code == 200, answer.text
        assert await offered(world, nurse, saved) == []

    async def test_a_colleagues_draft_stays(self, world: World, nurse) -> None:
        colleague = await world.person("Client Basic", client_ids=[nurse.client])
        patient, draft = world.patient(nurse.client), str(uuid.uuid4())
        await keep(world, nurse, draft, patientId=patient, content={"comments": "hers"})
        assert (await save(world, colleague, patient, draft)).status_code == 201
        assert [d["content"] for d in await offered(world, nurse)] == [{"comments": "hers"}]

    async def test_saved_ones_are_none_of_those_that_are_kept(self, world: World, nurse) -> None:
        patient, draft = world.patient(nurse.client), str(uuid.uuid4())
        await keep(world, nurse, draft, patientId=patient)
        for _ in range(DRAFTS_KEPT):
            await save(world, nurse, patient, str(uuid.uuid4()))
        await keep(world, nurse, str(uuid.uuid4()), patientId=patient)
        assert draft in [d["id"] for d in await offered(world, nurse)]


class TestWhoSeesThem:
    """Their writer, while the patient is one of theirs."""

    async def test_a_colleague_of_the_same_client_sees_nothing(self, world: World, nurse) -> None:
        colleague = await world.person("Client Basic", client_ids=[nurse.client])
        draft = str(uuid.uuid4())
        await keep(world, nurse, draft, patientId=world.patient(nurse.client))
        assert await offered(world, colleague) == []
        taken = await keep(world, colleague, draft, content={"comments": "mine"})
        assert taken.status_code == 404
        assert (await offered(world, nurse))[0]["content"] == {}

    async def test_a_patient_who_left_the_client_takes_the_draft_out_of_sight(
        self, world: World, nurse
    ) -> None:
        patient = world.patient(nurse.client)
        await keep(world, nurse, str(uuid.uuid4()), patientId=patient)
        world.sql("UPDATE patients SET client_id = %s WHERE id = %s", (world.client(), patient))
        assert await offered(world, nurse) == []

    @pytest.mark.parametrize("what", ["patientId", "requisitionId"])
    async def test_about_a_foreign_record_nothing_is_kept(
        self, world: World, nurse, what: str
    ) -> None:
        other = world.client()
        stranger = await world.person("Client Basic", client_ids=[other])
        patient = world.patient(other)
        foreign = {
            "patientId": patient,
            "requisitionId": (await world.requisition(stranger, patient))["id"],
        }[what]
        draft = str(uuid.uuid4())
        refused = await keep(world, nurse, draft, **{what: foreign})
        nowhere = await keep(world, nurse, draft, **{what: 9_007_199_254_740_000})
        assert refused.status_code == 404
        assert refused.content == nowhere.content
        assert await offered(world, nurse) == []
