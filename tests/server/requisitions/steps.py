"""Common steps of the tests of requisitions."""

import uuid
from collections.abc import Coroutine
from typing import Any

import httpx

from app.contract.enumerations import RequisitionStatus
from tests.server.accounts.builders import Person
from tests.server.requisitions.builders import SIGNATURE
from tests.server.world import World

BASE = "/api/v2/requisitions"


async def sign_requisitions(world: World, person: Person, *ids: int, **changes):
    """Sign in again, sign these requisitions and return the response."""
    await world.sign_in(person)
    return await world.http.post(
        f"{BASE}/sign-multiple",
        headers=person.headers,
        json={"image": SIGNATURE, "requisitionsIds": list(ids), **changes},
    )


async def change_status_meanwhile(
    world: World,
    requisition_id: int,
    status: RequisitionStatus,
    request: Coroutine[Any, Any, httpx.Response],
) -> httpx.Response:
    """Return the response to a request that waits while another user changes the status."""
    change = "UPDATE requisitions SET status = %s, version = version + 1 WHERE id = %s"
    return await world.commit_meanwhile(change, (status, requisition_id), request)


def add_panel(world: World) -> str:
    """Add a panel with two members and return its code."""
    code = f"P{uuid.uuid4().hex[:8]}".upper()
    world.add_panel(code, "WBC", "HGB")
    return code


def remove_member(world: World, panel: str) -> None:
    """Remove the last member of a panel."""
    world.run_sql(
        "DELETE FROM panel_members m USING (SELECT max(position) AS last FROM panel_members"
        " WHERE panel_id = %s) f WHERE panel_id = %s AND position = f.last",
        (world.get_test_id(panel),) * 2,
    )


def build_test_writes(requisition: dict) -> list[dict]:
    """Return the tests of a saved requisition as a form sends them."""
    return [
        {"test": {"id": test["test"]["id"]}, "isConfidential": test["isConfidential"]}
        for test in requisition["tests"]
    ]
