"""Fixtures: a nurse's patient, insurance, and the common steps of a requisition."""

import pytest

from tests.server.accounts.builders import Person
from tests.server.requisitions.builders import SIGNATURE
from tests.server.world import World

BASE = "/api/v2/requisitions"


@pytest.fixture
def patient(world: World, nurse) -> int:
    """A patient of the nurse's client."""
    return world.create_patient(nurse.client)


@pytest.fixture
def insure(world: World):
    """Return a function that adds an insurance row to a patient and returns its id."""

    def add_row(patient_id: int, number: str = "W-1", **columns) -> int:
        row = {"relationship": "SELF", "position": 1, **columns}
        names = "".join(f", {name}" for name in row)
        marks = ", %s" * len(row)
        return world.run_sql(
            f"INSERT INTO patient_insurance (patient_id, insurance_id, bill_type_id, payer_id"
            f"{names}) VALUES (%s, %s, (SELECT min(id) FROM bill_types),"
            f" (SELECT min(id) FROM payers){marks}) RETURNING id",
            (patient_id, number, *row.values()),
        )

    return add_row


@pytest.fixture
def save(world: World, nurse):
    """Return a function that updates a requisition as the nurse and returns the response."""

    async def update(requisition_id: int, **body):
        return await world.http.post(f"{BASE}/{requisition_id}", headers=nurse.headers, json=body)

    return update


@pytest.fixture
def sign(world: World):
    """Return a function that signs in again and signs requisitions."""

    async def sign_in_and_sign(person: Person, *ids: int):
        await world.sign_in(person)
        answer = await world.http.post(
            f"{BASE}/sign-multiple",
            headers=person.headers,
            json={"image": SIGNATURE, "requisitionsIds": list(ids)},
        )
        assert answer.status_code == 200, answer.text

    return sign_in_and_sign


@pytest.fixture
def receive(world: World):
    """Return a function that receives a requisition as the lab, so that it is Done."""

    async def receive_requisition(requisition_id: int) -> None:
        lab = await world.create_person("Laboratory")
        answer = await world.http.post(
            f"{BASE}/receive", headers=lab.headers, json={"ids": [requisition_id]}
        )
        assert answer.status_code == 200, answer.text

    return receive_requisition


@pytest.fixture
def cancel(world: World, nurse):
    """Return a function that cancels a requisition as the nurse."""

    async def cancel_requisition(requisition_id: int) -> None:
        answer = await world.http.post(
            f"{BASE}/{requisition_id}/cancel", headers=nurse.headers, json={"comment": "no"}
        )
        assert answer.status_code == 200, answer.text

    return cancel_requisition
