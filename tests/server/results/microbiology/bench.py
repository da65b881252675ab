"""An order with cultures on the lab's bench."""

from typing import Any

import httpx

from tests.server.accounts.builders import Person
from tests.server.world import World


class Bench:
    """An order with a culture, and the people who work on it and read it."""

    def __init__(self, world: World, people: dict[str, Person], order_id: int) -> None:
        self.world, self.order_id = world, order_id
        self.lab, self.nurse = people["lab"], people["nurse"]
        self.path = f"/api/v2/orders/{order_id}"

    async def read_entry(self) -> dict[str, Any]:
        """Read the entry screen."""
        answer = await self.call("GET", "microbiology-entry")
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def read_test(self, code: str = "UCUL") -> dict[str, Any]:
        """Read a culture on the entry screen."""
        return next(t for t in (await self.read_entry())["tests"] if t["code"] == code)

    async def call(
        self, method: str, part: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> httpx.Response:
        """Send a request as the lab."""
        return await self.world.http.request(
            method,
            f"{self.path}/{part}",
            headers={**self.lab.headers, **(headers or {})},
            json=body,
        )

    async def enter(
        self, code: str = "UCUL", headers: dict[str, str] | None = None, **body: Any
    ) -> httpx.Response:
        """Enter a culture."""
        test_id = (await self.read_test(code))["orderTestId"]
        return await self.call("PUT", f"microbiology-entry/{test_id}", body, headers)

    async def release(self, kind: str = "final", **body: Any) -> httpx.Response:
        """Release cultures."""
        return await self.call("POST", "microbiology-release", {"kind": kind, **body})

    async def publish(self, kind: str = "final", **body: Any) -> None:
        """Enter and release a culture."""
        entry_answer = await self.enter(**body)
        assert entry_answer.status_code == 200, entry_answer.text
        release_answer = await self.release(kind)
        assert release_answer.status_code == 200, release_answer.text

    async def read_result(self, person: Person | None = None, name: str = "CULTURE, URINE") -> Any:
        """Read a culture as a person, by default the nurse."""
        answer = await self.world.http.get(
            f"{self.path}/microbiology-results", headers=(person or self.nurse).headers
        )
        assert answer.status_code == 200, answer.text
        return next(result for result in answer.json() if result["name"] == name)

    async def read_order(self) -> dict[str, Any]:
        """Read the order as the nurse."""
        return (await self.world.http.get(self.path, headers=self.nurse.headers)).json()


async def receive_cultures(world: World, *codes: str) -> Bench:
    """Receive an order for these tests."""
    client = world.create_client()
    people = {
        "nurse": await world.create_person("Client Basic", client_ids=[client]),
        "lab": await world.create_person("Laboratory"),
    }
    requisition = await world.save_requisition(
        people["nurse"], world.create_patient(client), *codes
    )
    answer = await world.http.post(
        "/api/v2/requisitions/receive",
        headers=people["lab"].headers,
        json={"ids": [requisition["id"]]},
    )
    return Bench(world, people, answer.json()[0]["orderId"])


def build_organism(code: str = "ECOLI", quantity: str | None = "Q5", **mics: str) -> dict[str, Any]:
    """Build an organism to enter, with MICs by antibiotic."""
    return {
        "code": code,
        "quantity": quantity,
        "sensitivity": [{"antibiotic": name, "mic": mic} for name, mic in mics.items()],
    }


COLI = build_organism(AMP=">16", CZO="<=1", CIP="0.5")
NO_GROWTH = [{"code": "NG"}]


def list_interpretations(test: dict[str, Any]) -> dict[str, str | None]:
    """Return the interpretations of the first organism by antibiotic."""
    [organism, *_] = test["culture"]["organisms"]
    return {
        susceptibility["antibiotic"]: susceptibility["interpretation"]
        for susceptibility in organism["sensitivity"]
    }


def list_errors(answer: Any) -> dict[str, str]:
    """Return the messages of a rejected request by field."""
    assert answer.status_code == 400, answer.text
    return {error["field"]: error["message"] for error in answer.json()["errors"]}


async def find_reason(bench: Bench) -> str:
    """Return the code of a reason for a correction."""
    answer = await bench.world.http.get(
        "/api/v2/reasons?kind=correction", headers=bench.lab.headers
    )
    return answer.json()[0]["code"]
