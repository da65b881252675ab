"""Fixtures of the patients' tests."""

import pytest

from app.contract.enumerations import Role
from tests.server.patients.desk import Desk
from tests.server.world import Person, World


@pytest.fixture
async def desk(world: World) -> Desk:
    """A nurse and her client."""
    client = world.create_client()
    return Desk(world, await world.create_person(Role.CLIENT_BASIC, client_ids=[client]), client)


@pytest.fixture
async def nurse_and_client(world: World) -> tuple[Person, int]:
    """A nurse and her client."""
    client = world.create_client()
    return await world.create_person("Client Basic", client_ids=[client]), client
