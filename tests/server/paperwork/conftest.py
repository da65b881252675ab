"""Fixtures of labels and forms: a nurse with a patient."""

import pytest

from tests.server.accounts.builders import Person
from tests.server.world import World


@pytest.fixture
async def nurse(world: World) -> Person:
    """A user of a new client; ``nurse.patient`` is a patient of the client."""
    client = world.create_client()
    person = await world.create_person("Client Basic", client_ids=[client])
    person.patient = world.create_patient(client)
    return person
