"""Fixtures of the patients' tests."""

import pytest

from app.contract.enumerations import Role
from tests.server.accounts.builders import Person
from tests.server.patients.desk import Desk
from tests.server.world import World


@pytest.fixture
async def desk(world: World) -> Desk:
    """The desk of a nurse of a new client."""
    client = world.create_client()
    return Desk(world, await world.create_person(Role.CLIENT_BASIC, client_ids=[client]), client)


@pytest.fixture
async def nurse_and_client(world: World) -> tuple[Person, int]:
    """A nurse and her client."""
    client = world.create_client()
    return await world.create_person("Client Basic", client_ids=[client]), client


@pytest.fixture
async def client(world: World) -> int:
    """A client with a unit and a room."""
    return world.create_client(with_unit=True)


@pytest.fixture
async def nurse(world: World, client: int) -> Person:
    """A nurse of the client; ``nurse.client`` is the client."""
    person = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])
    person.client = client
    return person


@pytest.fixture
async def lab(world: World) -> Person:
    """A superuser, who sees every record."""
    return await world.create_person(Role.SUPERUSER)
