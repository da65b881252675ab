"""Unsaved work on requisitions survives, for its writer alone."""

import uuid

import pytest

from app.contract.limits import DRAFT_MAX_BYTES, DRAFTS_KEPT
from tests.server.world import Person, World

BASE = "/api/v2/requisitions/drafts"


@pytest.fixture
async def nurse(world: World) -> Person:
    """Client staff of ``nurse.client``."""
    client = world.client()
    person = await world.person("Client Basic", client_ids=[client])
    person.client = client
    return person


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
        for draft in drafts:
            await keep(world, nurse, draft)
        assert {d["id"] for d in await offered(world, nurse)} == set(drafts[2:])

    async def test_one_that_is_too_large_is_refused(self, world: World, nurse) -> None:
        answer = await keep(
            world, nurse, str(uuid.uuid4()), content={"comments": "x" * DRAFT_MAX_BYTES}
        )
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "content"


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
