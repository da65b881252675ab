"""Fixtures: a clinic, empty and with orders."""

from typing import Any

import pytest

from tests.server.order_search.records import (
    Clinic,
    build_clinic,
)
from tests.server.world import World


@pytest.fixture
async def clinic(world: World) -> Clinic:
    """A clinic without orders."""
    return await build_clinic(world)


@pytest.fixture(scope="session")
async def shared_clinic(owner: Any, http: Any, portal_app: Any, password_hash: str) -> Clinic:
    """A clinic with three orders, one of which has no optional values."""
    world = World(owner, http, portal_app.state.portal.tokens, password_hash)
    clinic = await build_clinic(world)
    full = await clinic.add_order(
        "GLU",
        "K",
        unit_name="EAST",
        room_name="101",
        bed="A",
        patient_middle_name="ANN",
        reported_at="2026-03-06",
        acknowledged_at="2026-03-07",
        acknowledged_by_name="Ada Tester",
        status=16,
        has_critical=True,
        collection_sites=["ARM"],
    )
    clinic.add_result(full, "GLU", "250", flag="H")
    clinic.add_result(full, "K", "POS", flag="POS")
    await clinic.add_order("CBC")
    await clinic.add_order("UCUL", has_abnormal=True)
    return clinic
