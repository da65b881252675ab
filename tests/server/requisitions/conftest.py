"""A client's nurse, a patient with insurance, and what they do most."""

import pytest

from tests.server.world import SIGNATURE, Person, World

BASE = "/api/v2/requisitions"


@pytest.fixture
def patient(world: World, nurse) -> int:
    """A patient of the nurse's client."""
    return world.patient(nurse.client)


@pytest.fixture
def insure(world: World):
    """Gives a patient an insurance row and answers its id."""

    def give(patient_id: int, number: str = "W-1", **columns) -> int:
        row = {"relationship": "SELF", "position": 1, **columns}
        names = "".join(f", {name}" for name in row)
        marks = ", %s" * len(row)
        return world.sql(
            f"INSERT INTO patient_insurance (patient_id, insurance_id, bill_type_id, payer_id"
            f"{names}) VALUES (%s, %s, (SELECT min(id) FROM bill_types),"
            f" (SELECT min(id) FROM payers){marks}) RETURNING id",
            (patient_id, number, *row.values()),
        )

    return give


@pytest.fixture
def save(world: World, nurse):
    """Changes a requisition and answers the response."""

    async def do(requisition_id: int, **body):
        return await world.http.post(f"{BASE}/{requisition_id}", headers=nurse.headers, json=body)

    return do


@pytest.fixture
def sign(world: World):
    """A fresh sign-in and the signing."""

    async def do(person: Person, *ids: int):
        await world.sign_in(person)
        answer = await world.http.post(
            f"{BASE}/sign-multiple",
            headers=person.headers,
            json={"image": SIGNATURE, "requisitionsIds": list(ids)},
        )
        assert answer.status_code == 200, answer.text

    return do


@pytest.fixture
def receive(world: World):
    """The lab receives a requisition: it is Done."""

    async def do(requisition_id: int) -> None:
        lab = await world.person("Laboratory")
        answer = await world.http.post(
            f"{BASE}/receive", headers=lab.headers, json={"ids": [requisition_id]}
        )
        assert answer.status_code == 200, answer.text

    return do


@pytest.fixture
def cancel(world: World, nurse):
    """The nurse cancels a requisition."""

    async def do(requisition_id: int) -> None:
        answer = await world.http.post(
            f"{BASE}/{requisition_id}/cancel", headers=nurse.headers, json={"comment": "no"}
        )
        assert answer.status_code == 200, answer.text

    return do
