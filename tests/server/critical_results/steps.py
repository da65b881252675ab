"""Common steps of the tests of critical results."""

from typing import Any

import httpx

from tests.server.accounts.builders import Person
from tests.server.results.clinical.bench import Bench

PATH = "/api/v2/critical-results"
SUCCESSFUL_CALL = {"toldName": "Ann Nurse", "method": "phone", "isTold": True, "hasReadBack": True}


async def list_notices(bench: Bench, person: Person | None = None) -> list[dict[str, Any]]:
    """List the notices of the bench's order, newest first."""
    answer = await bench.world.http.get(
        f"{PATH}/remote-operations",
        headers=(person or bench.lab).headers,
        params={"orderIds": bench.order_id},
    )
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


async def post_act(bench: Bench, act: str, body: dict[str, Any], **headers: str) -> httpx.Response:
    """Send an act on the newest notice of the bench's order, as the lab."""
    [row, *_] = await list_notices(bench)
    return await bench.world.http.post(
        f"{PATH}/{row['id']}/{act}", headers={**bench.lab.headers, **headers}, json=body
    )
