"""The audit rows of acts on orders: action, kind, and detail."""

from typing import Any

import httpx
import pytest

from app.contract import messages
from tests.server.accounts.builders import Person
from tests.server.orders.canceling import cancel_tests, list_ids
from tests.server.orders.signing import sign_orders, unsign_order
from tests.server.results.clinical.bench import Bench, receive_order
from tests.server.world import World

AuditRow = tuple[str, list[int], dict[str, Any] | None]


@pytest.fixture
async def bench(world: World) -> Bench:
    """An order for glucose and potassium."""
    return await receive_order(world, "GLU", "K")


def fetch_row(world: World, person: Person, action: str) -> AuditRow:
    """Return kind, ids, and detail of the only audit row of this action by the person."""
    [row] = world.fetch_rows(
        "SELECT kind, record_ids, detail FROM audit_events WHERE user_id = %s AND action = %s",
        (person.user_id, action),
    )
    return row


async def reinstate_tests(bench: Bench, *names: str) -> httpx.Response:
    """Reinstate canceled tests by name, or all."""
    ids = await list_ids(bench)
    body = {"orderTestIds": [ids[name] for name in names]} if names else {}
    return await bench.world.http.post(
        f"{bench.path}/reinstate", headers=bench.lab.headers, json=body
    )


async def test_audits_the_cancellation_and_reinstatement_of_tests(bench: Bench) -> None:
    await cancel_tests(bench, "GLUCOSE")
    detail: dict[str, Any] = {"tests": 1, "reason": "SPECIMEN"}
    row = fetch_row(bench.world, bench.lab, "cancel-tests")
    assert row == ("order", [bench.order_id], detail)
    second_answer = await cancel_tests(bench, "GLUCOSE")
    assert (second_answer.status_code, second_answer.json()["detail"]) == (
        400,
        messages.TESTS_ALREADY_CANCELED,
    )
    await reinstate_tests(bench, "GLUCOSE")
    row = fetch_row(bench.world, bench.lab, "reinstate-tests")
    assert row == ("order", [bench.order_id], {"tests": 1})
    second_answer = await reinstate_tests(bench, "GLUCOSE")
    assert (second_answer.status_code, second_answer.json()["detail"]) == (
        400,
        messages.TESTS_NOT_CANCELED,
    )


async def test_audits_a_hold_and_its_end(bench: Bench) -> None:
    await bench.post("holds", "GLU", reason="CONTROL")
    detail = {"tests": 1, "reason": "CONTROL", "everyOrder": False}
    row = fetch_row(bench.world, bench.lab, "hold")
    assert row == ("order-results", [bench.order_id], detail)
    hold_id = bench.world.run_sql(
        "SELECT id FROM result_holds WHERE order_id = %s", (bench.order_id,)
    )
    answer = await bench.world.http.post(
        f"{bench.path}/holds/{hold_id}/lift",
        headers=bench.lab.headers,
        json={"reason": "Control repeated"},
    )
    assert answer.status_code == 200, answer.text
    row = fetch_row(bench.world, bench.lab, "lift-hold")
    assert row == ("order-results", [bench.order_id], {"hold": hold_id, "everyOrder": False})


async def test_audits_an_acknowledgment(bench: Bench) -> None:
    await bench.enter(GLU="80")
    await bench.release("GLU")
    answer = await bench.world.http.put(
        "/api/v2/orders/acknowledge",
        headers=bench.nurse.headers,
        params={"ids": [bench.order_id], "username": ""},
        json={},
    )
    assert answer.status_code == 200, answer.text
    assert fetch_row(bench.world, bench.nurse, "acknowledge")[:2] == ("order", [bench.order_id])


async def test_audits_the_removal_of_a_signature(world: World, bench: Bench) -> None:
    assert (await sign_orders(world, bench.nurse, bench.order_id)).status_code == 200
    assert (await unsign_order(world, bench.nurse, bench.order_id)).status_code == 200
    assert fetch_row(world, bench.nurse, "unsign")[:2] == ("order", [bench.order_id])


async def test_audits_reading_the_missing_information(bench: Bench) -> None:
    path = f"{bench.path}/billing-information"
    answer = await bench.world.http.get(path, headers=bench.nurse.headers)
    assert answer.status_code == 200, answer.text
    row = fetch_row(bench.world, bench.nurse, "read")
    assert row == ("order", [bench.order_id], {"fields": ["billing_information"]})
