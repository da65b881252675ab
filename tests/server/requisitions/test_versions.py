"""412 for an older version of a requisition, and who saved the newer one."""

import pytest

from tests.server.accounts.builders import Person
from tests.server.requisitions.steps import BASE, sign_requisitions
from tests.server.world import World


@pytest.fixture
async def colleague(world: World, nurse) -> Person:
    """Grace, who works at the same client."""
    person = await world.create_person("Client Basic", client_ids=[nurse.client])
    rename = (
        "UPDATE users SET first_name = 'Grace', last_name = 'Colleague' WHERE id = %s RETURNING 1"
    )
    world.run_sql(rename, (person.user_id,))
    return person


@pytest.fixture
async def requisition(world: World, nurse, patient, colleague) -> dict:
    """A requisition as the nurse has read it, which the colleague has changed since."""
    saved_requisition = await world.save_requisition(nurse, patient)
    change_answer = await world.http.put(
        f"{BASE}/change-bill-to",
        headers=colleague.headers,
        json={"billTo": "Patient", "ids": [saved_requisition["id"]]},
    )
    assert change_answer.status_code == 200, change_answer.text
    return saved_requisition


class TestStaleVersions:
    """Stale versions in saves, status changes and signatures."""

    @pytest.mark.parametrize(
        ("act", "body"),
        [
            ("", {"fasting": 1}),
            ("/save-medications", {"medications": [{"name": "ASPIRIN"}]}),
            ("/cancel", {"comment": "Twice"}),
        ],
    )
    async def test_stale_versions_name_who_saved_the_newer_version(
        self, world: World, nurse, requisition, act: str, body: dict
    ) -> None:
        headers = {**nurse.headers, "If-Match": f'"{requisition["version"]}"'}
        path = f"{BASE}/{requisition['id']}{act}"
        stale_answer = await world.http.post(path, headers=headers, json=body)
        assert (stale_answer.status_code, stale_answer.json()["updatedBy"]) == (
            412,
            "Grace Colleague",
        )

    async def test_stale_versions_name_the_other_editor_before_signing(
        self, world: World, nurse, requisition
    ) -> None:
        versions = {requisition["id"]: requisition["version"]}
        stale_answer = await sign_requisitions(world, nurse, requisition["id"], versions=versions)
        assert (stale_answer.status_code, stale_answer.json()["updatedBy"]) == (
            412,
            "Grace Colleague",
        )

    async def test_stale_versions_name_nobody_to_patients(
        self, world: World, patient, requisition
    ) -> None:
        person = await world.create_person("Patient", patient_ids=[patient])
        versions = {requisition["id"]: requisition["version"]}
        stale_answer = await sign_requisitions(world, person, requisition["id"], versions=versions)
        assert stale_answer.status_code == 412
        assert "updatedBy" not in stale_answer.json()
