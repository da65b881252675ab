"""People who maintain the lab's data."""

import itertools
import os

import pytest

from tests.server.lab_data.desk import Desk, Samples
from tests.server.world import World

_serial = itertools.count(int.from_bytes(os.urandom(3), "big") * 100)


@pytest.fixture
async def desk(world: World) -> Desk:
    """The desk of a Superuser."""
    return Desk(world, await world.create_person("Superuser"))


@pytest.fixture
async def lab_desk(world: World) -> Desk:
    """The desk of a person of the laboratory."""
    return Desk(world, await world.create_person("Laboratory"))


@pytest.fixture
def samples(world: World) -> Samples:
    """Values of new rows."""
    return Samples(world, next(_serial))
