"""A practice whose people read and acknowledge orders."""

from tests.server.accounts.builders import Person
from tests.server.world import World

ORDERS = "/api/v2/orders"


class Practice:
    """A client with a nurse, a physician, and orders of glucose and potassium."""

    def __init__(self, world: World, people: dict[str, Person], orders: list[dict]) -> None:
        self.world, self.people, self.orders = world, people, orders

    async def acknowledge(self, role: str, *ids: int, versions: dict | None = None):
        """Acknowledge these orders as this person, and return the response."""
        return await self.world.http.put(
            f"{ORDERS}/acknowledge",
            headers=self.people[role].headers,
            params={"ids": list(ids), "username": "Somebody, Else"},
            json={"versions": versions or {}},
        )

    async def fetch_row(self, role: str, order_id: int) -> dict:
        """Return the order's row of the search."""
        answer = await self.world.http.get(
            f"{ORDERS}/ids", headers=self.people[role].headers, params={"ids": order_id}
        )
        assert answer.status_code == 200, answer.text
        return answer.json()[0]

    async def read(self, role: str, order_id: int) -> dict:
        """Return the order."""
        answer = await self.world.http.get(
            f"{ORDERS}/{order_id}", headers=self.people[role].headers
        )
        return answer.json()

    async def find_test(self, order_id: int, code: str) -> int:
        """Return the id of a test of the order."""
        headers = self.people["lab"].headers
        answer = await self.world.http.get(f"{ORDERS}/{order_id}/result-entry", headers=headers)
        return next(row["orderTestId"] for row in answer.json()["rows"] if row["code"] == code)

    async def withhold(self, order_id: int, code: str, kind: str) -> None:
        """Put the released result of one test under review, withdraw it, or end its review."""
        body: dict = {"orderTestIds": [await self.find_test(order_id, code)]}
        if kind != "restored":
            body |= {"kind": kind, "reason": "SPECIMEN"}
        answer = await self.world.http.post(
            f"{ORDERS}/{order_id}/{'restore' if kind == 'restored' else 'withhold'}",
            headers=self.people["lab"].headers,
            json=body,
        )
        assert answer.status_code == 200, answer.text

    async def release(self, order_id: int, code: str) -> None:
        """Enter and release the result of one test."""
        headers = self.people["lab"].headers
        path = f"{ORDERS}/{order_id}"
        test = await self.find_test(order_id, code)
        entry_answer = await self.world.http.put(
            f"{path}/result-entry",
            headers=headers,
            json={"results": [{"orderTestId": test, "result": "90"}]},
        )
        assert entry_answer.status_code == 200, entry_answer.text
        release_answer = await self.world.http.post(
            f"{path}/release", headers=headers, json={"orderTestIds": [test]}
        )
        assert release_answer.status_code == 200, release_answer.text


async def open_practice(world: World, count: int = 1) -> Practice:
    """Receive orders of GLU and K for a new client, and return it with its people."""
    client = world.create_client()
    physician_id = world.create_physician(client)
    people = {
        "nurse": await world.create_person("Client Basic", client_ids=[client]),
        "physician": await world.create_person("Physician", physician_ids=[physician_id]),
        "lab": await world.create_person("Laboratory"),
    }
    orders = []
    for _ in range(count):
        patient = world.create_patient(client, physician=physician_id)
        people["patient"] = await world.create_person("Patient", patient_ids=[patient])
        requisition = await world.save_requisition(
            people["nurse"], patient, "GLU", "K", physicianId=physician_id
        )
        receive_answer = await world.http.post(
            "/api/v2/requisitions/receive",
            headers=people["lab"].headers,
            json={"ids": [requisition["id"]]},
        )
        orders.append(receive_answer.json()[0])
    return Practice(world, people, orders)
