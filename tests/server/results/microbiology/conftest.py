"""Fixtures: a bench with a received culture."""

import pytest

from tests.server.results.microbiology.bench import Bench, receive_cultures
from tests.server.world import World


@pytest.fixture
async def bench(world: World) -> Bench:
    """A received order for a urine culture."""
    return await receive_cultures(world, "UCUL")
