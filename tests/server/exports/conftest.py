"""Fixtures: a desk, an order with a released result to export, and a portal with workers."""

import pytest

from tests.server.exports.desk import Desk
from tests.server.results.clinical.bench import Bench, receive_order
from tests.server.transmissions.conftest import delete_jobs, open_office
from tests.server.world import World

__all__ = ["delete_jobs", "open_office"]


@pytest.fixture
def desk(world: World) -> Desk:
    """A desk that requests exports of results as any person."""
    return Desk(world)


@pytest.fixture
async def bench(world: World) -> Bench:
    """An order with a released result, of the client of ``bench.nurse``."""
    world.add_lab_test("XEXPJ", unit="mmol/L", decimals=1)
    bench = await receive_order(world, "XEXPJ")
    await bench.enter(XEXPJ="4.0")
    await bench.release()
    return bench
