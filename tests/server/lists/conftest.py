"""Fixtures of lists."""

import pytest

from tests.server.accounts.builders import Person
from tests.server.world import World


@pytest.fixture
async def busy_nurse(world: World) -> Person:
    """A nurse with seven requisitions on seven days, of patients A to G."""
    client = world.create_client()
    person = await world.create_person("Client Basic", client_ids=[client, world.create_client()])
    person.client = client
    person.ids = []
    for i, letter in enumerate("CAGBFED"):
        patient = world.create_patient(
            client, last_name=f"{letter}{letter}LAST", first_name="100%_OK"
        )
        requisition = await world.save_requisition(
            person, patient, collectionDate=f"2026-03-0{i + 1}T08:0{i}:00", fasting=i % 3
        )
        person.ids.append(requisition["id"])
    return person
