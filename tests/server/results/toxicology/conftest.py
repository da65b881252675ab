"""Fixtures of toxicology results."""

import pytest

from tests.server.results.toxicology.bench import Bench, receive_order
from tests.server.world import World


@pytest.fixture
async def bench(world: World) -> Bench:
    """A received order of a patient who reports Valium and Percocet."""
    return await receive_order(world, "VALIUM 5 MG", "PERCOCET")
