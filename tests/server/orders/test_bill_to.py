"""Update Bill To of orders (R 7): all or nothing, by whom, and what it changes."""

from typing import Any

import httpx
import pytest

from tests.server.accounts.builders import Person
from tests.server.orders.practice import ORDERS, Practice, open_practice
from tests.server.orders.signing import sign_orders
from tests.server.world import World

PATH = f"{ORDERS}/change-bill-to"


async def change_bill_to(
    practice: Practice, person: Person, *ids: int, bill_to: Any = "Client", **more: Any
) -> httpx.Response:
    """Change the bill-to of these orders."""
    return await practice.world.http.put(
        PATH, headers=person.headers, json={"billTo": bill_to, "ids": list(ids), **more}
    )


async def read_bill_to(practice: Practice, order_id: int) -> str:
    """Return the bill-to of an order's requisition."""
    answer = await practice.world.http.get(
        f"{ORDERS}/{order_id}/billing-information", headers=practice.people["nurse"].headers
    )
    return str(answer.json()["billTo"])


def get_ids(practice: Practice) -> list[int]:
    """Return the ids of the practice's orders."""
    return [order["orderId"] for order in practice.orders]


class TestChanging:
    """PUT /api/v2/orders/change-bill-to."""

    @pytest.mark.parametrize("role", ["nurse", "lab", "physician"])
    async def test_changes_all_orders_and_returns_their_versions(
        self, world: World, role: str
    ) -> None:
        practice = await open_practice(world, 2)
        ids = get_ids(practice)
        before = [(await practice.read("nurse", i))["version"] for i in ids]
        answer = await change_bill_to(practice, practice.people[role], *ids, bill_to="Patient")
        assert answer.status_code == 200, answer.text
        assert answer.json()["data"] == [
            {"id": i, "version": version + 1} for i, version in zip(ids, before, strict=True)
        ]
        after = [await practice.read("nurse", i) for i in ids]
        assert [order["version"] for order in after] == [version + 1 for version in before]
        assert [await read_bill_to(practice, i) for i in ids] == ["Patient", "Patient"]

    async def test_accepts_the_query_of_the_specification(self, world: World) -> None:
        practice = await open_practice(world, 2)
        ids = get_ids(practice)
        answer = await world.http.put(
            PATH,
            headers=practice.people["nurse"].headers,
            params={"billTo": "INSURANCE", "ids": ids},
        )
        assert answer.status_code == 200, answer.text
        assert [await read_bill_to(practice, i) for i in ids] == ["Insurance", "Insurance"]

    async def test_stays_open_after_signing_and_when_final(self, world: World) -> None:
        practice = await open_practice(world)
        [order_id] = get_ids(practice)
        sign_answer = await sign_orders(world, practice.people["nurse"], order_id)
        assert sign_answer.status_code == 200, sign_answer.text
        await practice.release(order_id, "GLU")
        await practice.release(order_id, "K")
        answer = await change_bill_to(practice, practice.people["physician"], order_id, bill_to=2)
        assert answer.status_code == 200, answer.text

    async def test_returns_whether_billing_information_is_missing(self, world: World) -> None:
        practice = await open_practice(world)
        [order_id] = get_ids(practice)
        requisition = practice.orders[0]["requisitionId"]
        world.run_sql(
            "INSERT INTO requisition_diagnoses (requisition_id, diagnosis_id, position)"
            " VALUES (%s, (SELECT min(id) FROM diagnoses), 0)",
            (requisition,),
        )
        nurse = practice.people["nurse"]
        marks = []
        for bill_to in ("Insurance", "Client"):
            await change_bill_to(practice, nurse, order_id, bill_to=bill_to)
            marks.append((await practice.read("nurse", order_id))["hasMissingInfo"])
        assert marks == [True, False]

    async def test_notes_only_a_different_bill_to(self, world: World) -> None:
        practice = await open_practice(world)
        [order_id] = get_ids(practice)
        nurse = practice.people["nurse"]
        for bill_to in ("Patient", "Patient", "Client", "Client"):
            answer = await change_bill_to(practice, nurse, order_id, bill_to=bill_to)
            assert answer.status_code == 200, answer.text
            [changed_row] = answer.json()["data"]
            order = await practice.read("nurse", order_id)
            assert changed_row["version"] == order["version"]
        content_answer = await world.http.get(
            f"{ORDERS}/{order_id}/billing-information", headers=nurse.headers
        )
        parts = [completion["parts"] for completion in content_answer.json()["completions"]]
        assert parts == [["billTo"], ["billTo"]]

    async def test_is_audited(self, world: World) -> None:
        practice = await open_practice(world)
        [order_id] = get_ids(practice)
        await change_bill_to(practice, practice.people["nurse"], order_id)
        rows = world.fetch_rows(
            "SELECT user_id::text, detail FROM audit_events WHERE kind = 'order'"
            " AND action = 'change' AND record_ids = %s::bigint[]",
            ([order_id],),
        )
        assert rows == [(practice.people["nurse"].user_id, {"fields": ["bill_to"]})]


class TestRejections:
    """Requests that change nothing."""

    async def test_names_the_canceled_order_that_stops_all(
        self, world: World, parse_problem
    ) -> None:
        practice = await open_practice(world, 2)
        ids = get_ids(practice)
        await world.http.post(
            f"{ORDERS}/{ids[1]}/cancel",
            headers=practice.people["lab"].headers,
            json={"reason": "CLIENT"},
        )
        answer = await change_bill_to(practice, practice.people["nurse"], *ids, bill_to="Patient")
        assert answer.status_code == 409
        code = (await practice.read("nurse", ids[1]))["codeValue"]
        assert parse_problem(answer)["detail"] == f"Order {code} is CANCELED and cannot be changed"
        assert await read_bill_to(practice, ids[0]) == "Client"

    async def test_a_foreign_order_looks_nonexistent_and_stops_all(self, world: World) -> None:
        practice, other = await open_practice(world), await open_practice(world)
        [own], [foreign] = get_ids(practice), get_ids(other)
        for person in (practice.people["nurse"], practice.people["physician"]):
            answer = await change_bill_to(practice, person, own, foreign, bill_to="Patient")
            nonexistent = await change_bill_to(practice, person, own, 2**50, bill_to="Patient")
            assert answer.status_code == 404
            assert answer.content == nonexistent.content
        assert await read_bill_to(practice, own) == "Client"
        assert await read_bill_to(other, foreign) == "Client"

    async def test_patients_may_not_change_the_bill_to(self, world: World) -> None:
        practice = await open_practice(world)
        [order_id] = get_ids(practice)
        answer = await change_bill_to(practice, practice.people["patient"], order_id)
        assert answer.status_code == 403

    async def test_names_an_order_that_changed_since_it_was_shown(
        self, world: World, parse_problem
    ) -> None:
        practice = await open_practice(world, 2)
        first, second = get_ids(practice)
        stale = (await practice.read("nurse", second))["version"]
        nurse = practice.people["nurse"]
        await change_bill_to(practice, nurse, second, bill_to="Insurance")
        answer = await change_bill_to(
            practice, nurse, first, second, bill_to="Patient", versions={second: stale}
        )
        assert answer.status_code == 412
        code = (await practice.read("nurse", second))["codeValue"]
        assert code in parse_problem(answer)["detail"]
        assert await read_bill_to(practice, first) == "Client"
        # Every changed order is named. Otherwise, a second try would change the others unseen.
        versions = {first: stale + 7, second: stale}
        answer = await change_bill_to(
            practice, nurse, first, second, bill_to="Patient", versions=versions
        )
        problem = parse_problem(answer)
        assert [e["field"] for e in problem["errors"]] == [f"versions.{i}" for i in (first, second)]
        assert code in problem["detail"]

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"ids": []}, "ids"),
            ({"billTo": None}, "billTo"),
            ({"billTo": "None"}, "billTo"),
            ({"billTo": "nobody"}, "billTo"),
        ],
    )
    async def test_rejects_missing_and_unknown_values(
        self, world: World, parse_problem, body: dict[str, Any], field: str
    ) -> None:
        practice = await open_practice(world)
        answer = await world.http.put(
            PATH,
            headers=practice.people["nurse"].headers,
            json={"billTo": "Client", "ids": get_ids(practice), **body},
        )
        assert answer.status_code == 400
        assert field in [error["field"] for error in parse_problem(answer)["errors"]]

    async def test_applies_changes_of_two_people_in_turn(self, world: World) -> None:
        practice = await open_practice(world)
        [order_id] = get_ids(practice)
        answer = await world.commit_meanwhile(
            "UPDATE requisitions SET bill_to = 2, version = version + 1 WHERE id = %s",
            (practice.orders[0]["requisitionId"],),
            change_bill_to(practice, practice.people["physician"], order_id, bill_to="Insurance"),
        )
        assert answer.status_code == 200, answer.text
        assert await read_bill_to(practice, order_id) == "Insurance"
