"""Orders to find, and the people who search them."""

from dataclasses import dataclass, field
from typing import Any

import httpx

from app.contract.enumerations import Role
from tests.server.accounts.builders import Person
from tests.server.world import World

PATH = "/api/v2/orders/advanced-search"
Condition = dict[str, Any]


def build_condition(name: str, operator: str, value: Any = None, **other: Any) -> Condition:
    """Build a condition."""
    return {"field": name, "operator": operator, "value": value, **other}


def join_conditions(*rules: Condition, by: str = "and", **other: Any) -> Condition:
    """Build a group."""
    return {"combinator": by, "rules": list(rules), **other}


@dataclass
class Clinic:
    """A client with orders, and one person of each kind of scope who sees them."""

    world: World
    client: int
    physician: int
    people: dict[str, Person]
    orders: list[int] = field(default_factory=list)
    codes: dict[int, str] = field(default_factory=dict)

    async def add_order(self, *tests: str, **values: Any) -> int:
        """Receive an order of these tests, set its columns, and return its id."""
        requisition = await self.world.save_requisition(
            self.people["nurse"],
            self.world.create_patient(self.client, physician=self.physician),
            *tests,
            physicianId=self.physician,
        )
        receive_answer = await self.world.http.post(
            "/api/v2/requisitions/receive",
            headers=self.people["lab"].headers,
            json={"ids": [requisition["id"]]},
        )
        order_id = int(receive_answer.json()[0]["orderId"])
        if values:
            names = ", ".join(f"{name} = %s" for name in values)
            self.world.run_sql(
                f"UPDATE orders SET {names} WHERE id = %s", (*values.values(), order_id)
            )
        self.orders.append(order_id)
        return order_id

    def get_order_test_id(self, order_id: int, code: str) -> int:
        """Return the id of the order's test with this code."""
        return int(
            self.world.run_sql(
                "SELECT ot.id FROM order_tests ot JOIN lab_tests x ON x.id = ot.test_id"
                " WHERE ot.order_id = %s AND x.code = %s",
                (order_id, code),
            )
        )

    def add_result(self, order_id: int, code: str, value: str, **values: Any) -> None:
        """Add a version of a result, released unless ``values`` say otherwise."""
        row_id = self.get_order_test_id(order_id, code)
        revision = self.world.run_sql(
            "SELECT count(*) FROM results WHERE order_test_id = %s", (row_id,)
        )
        self.world.run_sql(
            "UPDATE results SET is_current = false WHERE order_test_id = %s", (row_id,)
        )
        sign = value[: 2 if value[1:2] == "=" else 1] if value[0] in "<>" else None
        digits = value.removeprefix(sign or "")
        number = digits if digits.replace(".", "").isdigit() else None
        row = {
            "order_id": order_id,
            "order_test_id": row_id,
            "revision": revision + 1,
            "value": value,
            "sign": sign,
            "number": number,
            "entered_at": "2026-03-05",
            "released_at": "2026-03-06",
            **values,
        }
        self.world.run_sql(
            f"INSERT INTO results ({', '.join(row)}) VALUES ({', '.join(['%s'] * len(row))})",
            tuple(row.values()),
        )

    async def post(self, person: str, query: Any, **body: Any) -> httpx.Response:
        """Send a search as one of the clinic's people, and return the answer."""
        return await self.world.http.post(
            PATH, headers=self.people[person].headers, json={"query": query, **body}
        )

    async def find(self, person: str, *rules: Condition) -> set[int]:
        """Return the clinic's orders that meet all of these conditions."""
        own_orders = join_conditions(
            *[build_condition("code", "=", self.get_code(order_id)) for order_id in self.orders],
            by="or",
        )
        answer = await self.post(person, join_conditions(*rules, own_orders), columns=[], take=100)
        assert answer.status_code == 200, answer.text
        return {row["id"] for row in answer.json()["data"]}

    def get_code(self, order_id: int) -> str:
        """Return the code of an order."""
        if order_id not in self.codes:
            self.codes[order_id] = self.world.run_sql(
                "SELECT code FROM orders WHERE id = %s", (order_id,)
            )
        return self.codes[order_id]


async def build_clinic(world: World) -> Clinic:
    """Build a clinic without orders."""
    client = world.create_client()
    physician = world.create_physician(client)
    people = {
        "superuser": await world.create_person("Superuser"),
        "lab": await world.create_person("Laboratory"),
        "admin": await world.create_person("Client Admin", client_ids=[client]),
        "nurse": await world.create_person("Client Basic", client_ids=[client]),
        "doctor": await world.create_person("Physician", physician_ids=[physician]),
    }
    return Clinic(world, client, physician, people)


OUTSIDE_LAB = ("admin", "nurse", "doctor")
ROLES = {
    "superuser": Role.SUPERUSER,
    "lab": Role.LABORATORY,
    "admin": Role.CLIENT_ADMIN,
    "nurse": Role.CLIENT_BASIC,
    "doctor": Role.PHYSICIAN,
}
EVERYBODY = ("superuser", "lab", *OUTSIDE_LAB)
