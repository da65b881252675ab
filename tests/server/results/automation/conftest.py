"""The lab uses autoverification in these tests, and has an order for a test with a rule."""

from collections.abc import Iterator

import pytest

from tests.server.results.automation.bench import add_range, set_rule
from tests.server.results.clinical.bench import Bench, receive_order
from tests.server.world import World


@pytest.fixture(autouse=True)
def lab_uses_autoverification(world: World) -> Iterator[None]:
    """Switch the lab's setting on within each test."""
    with world.change_setting("autoverification", {"enabled": True}):
        yield


@pytest.fixture
async def bench(world: World) -> Bench:
    """An order for a test with a range from 70 to 99, critical from 40 to 400, and a rule."""
    world.add_lab_test("VGLU", unit="mg/dL", plausible_high=500)
    add_range(world, "VGLU", 70, 99, 40, 400)
    set_rule(world, "VGLU")
    return await receive_order(world, "VGLU", "K")
