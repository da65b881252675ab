"""What the tests of requisitions do again and again."""

import uuid
from collections.abc import Coroutine
from typing import Any

import httpx

from app.contract.enumerations import RequisitionStatus
from tests.server.world import SIGNATURE, Person, World

BASE = "/api/v2/requisitions"


async def sign(world: World, person: Person, *ids: int, **changes):
    """A fresh sign-in and the signing."""
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
    """The answer to a request that waits while somebody else changes the requisition's status."""
    change = "UPDATE requisitions SET status = %s, version = version + 1 WHERE id = %s"
    return await world.commit_meanwhile(change, (status, requisition_id), request)


def add_panel(world: World) -> str:
    """The code of a new panel with two members."""
    code = f"P{uuid.uuid4().hex[:8]}".upper()
    world.sql(
        "WITH panel AS (INSERT INTO lab_tests"
        " (code, name, search_text, is_panel, kind, result_type)"
        " SELECT %s, %s, %s, true, kind, result_type FROM lab_tests WHERE code = 'CBC'"
        " RETURNING id)"
        " INSERT INTO panel_members (panel_id, test_id, position)"
        " SELECT panel.id, m.test_id, m.position FROM panel, panel_members m"
        " WHERE m.panel_id = (SELECT id FROM lab_tests WHERE code = 'CBC')"
        " ORDER BY m.position LIMIT 2",
        (code, code, code),
    )
    return code


def remove_member(world: World, panel: str) -> None:
    world.sql(
        "DELETE FROM panel_members m USING (SELECT max(position) AS last FROM panel_members"
        " WHERE panel_id = %s) f WHERE panel_id = %s AND position = f.last",
        (world.test_id(panel),) * 2,
    )


def sent_again(saved: dict) -> list[dict]:
    """The tests of a requisition as a form sends them."""
    return [
        {"test": {"id": each["test"]["id"]}, "isConfidential": each["isConfidential"]}
        for each in saved["tests"]
    ]
