"""An order for drugs of abuse on the lab's bench."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tests.server.accounts.builders import Person
from tests.server.world import World

CODES = ("UBENZ", "QDIA", "QOXA", "QOXY", "QFEN", "VCRE")
NOTHING_DETECTED = {
    "UBENZ": "NEGATIVE",
    "QDIA": "0",
    "QOXA": "<20",
    "QOXY": "NEGATIVE",
    "QFEN": "0",
}


class Bench:
    """An order for drugs of abuse on the lab's bench."""

    def __init__(self, world: World, lab: Person, nurse: Person, order_id: int) -> None:
        self.world, self.lab, self.nurse, self.order_id = world, lab, nurse, order_id
        self.path = f"/api/v2/orders/{order_id}"

    async def read_entry(self) -> dict:
        """Read the entry screen."""
        path = f"{self.path}/toxicology-entry"
        answer = await self.world.http.get(path, headers=self.lab.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def enter(self, *, version: int | None = None, **values: str | dict):
        """Enter values by test code; a value may be a whole write."""
        ids = {row["code"]: row["orderTestId"] for row in (await self.read_entry())["rows"]}
        headers = dict(self.lab.headers)
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        results = [
            {"orderTestId": ids[code], **(value if isinstance(value, dict) else {"result": value})}
            for code, value in values.items()
        ]
        return await self.world.http.put(
            f"{self.path}/toxicology-entry", headers=headers, json={"results": results}
        )

    async def release(self, *codes: str):
        """Release these tests, or all."""
        ids = {row["code"]: row["orderTestId"] for row in (await self.read_entry())["rows"]}
        return await self.world.http.post(
            f"{self.path}/toxicology-release",
            headers=self.lab.headers,
            json={"orderTestIds": [ids[code] for code in codes] if codes else None},
        )

    async def publish(self, **values: str | dict) -> None:
        """Enter and release values."""
        entry_answer = await self.enter(**values)
        assert entry_answer.status_code == 200, entry_answer.text
        release_answer = await self.release()
        assert release_answer.status_code == 200, release_answer.text

    async def read(self, part: str, person: Person | None = None) -> list[dict]:
        """Read a section of the results as a person; by default as the nurse."""
        answer = await self.world.http.get(
            f"{self.path}/toxicology-{part}", headers=(person or self.nurse).headers
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def read_reasons(self, part: str) -> list[str]:
        """Read why each verdict of a section was reached."""
        return [row["rxVerification"] for row in await self.read(part) if row["rxVerification"]]

    async def find_ids(self, *codes: str) -> list[int]:
        """Find the ids of the order's tests by code."""
        ids = {row["code"]: row["orderTestId"] for row in (await self.read_entry())["rows"]}
        return [ids[code] for code in codes]

    async def act(self, act: str, *codes: str, **body: Any) -> None:
        """Withhold, show again, or hold the results of tests."""
        answer = await self.world.http.post(
            f"{self.path}/toxicology-{act}",
            headers=self.lab.headers,
            json={"orderTestIds": await self.find_ids(*codes), **body},
        )
        assert answer.status_code == 200, answer.text

    async def cancel(self, *codes: str) -> None:
        """Cancel tests of the order."""
        ids = await self.find_ids(*codes)
        await self._send("cancel", {"orderTestIds": ids, "reason": "SPECIMEN"})

    async def reinstate(self, *codes: str) -> None:
        """Reinstate canceled tests of the order."""
        await self._send("reinstate", {"orderTestIds": await self.find_ids(*codes)})

    async def _send(self, act: str, body: dict) -> None:
        answer = await self.world.http.post(
            f"{self.path}/{act}", headers=self.lab.headers, json=body
        )
        assert answer.status_code == 200, answer.text

    async def release_many(self) -> None:
        """Release the order from the worklist."""
        answer = await self.world.http.post(
            "/api/v2/orders/release-results",
            headers=self.lab.headers,
            json={"ids": [self.order_id]},
        )
        assert answer.status_code == 200, answer.text

    async def read_order(self) -> dict:
        """Read the order as the nurse."""
        return (await self.world.http.get(self.path, headers=self.nurse.headers)).json()


async def receive_order(world: World, *medications: str, codes: Sequence[str] = CODES) -> Bench:
    """Receive an order of a patient who reports these medications."""
    client = world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    lab = await world.create_person("Laboratory")
    requisition = await world.save_requisition(
        nurse,
        world.create_patient(client),
        *codes,
        medications=[{"name": name} for name in medications],
    )
    answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
    )
    return Bench(world, lab, nurse, answer.json()[0]["orderId"])


@contextmanager
def change_choices(world: World, code: str, *choices: str) -> Iterator[None]:
    """Give a test of the catalog these choices within the context."""
    before = world.run_sql("SELECT choices FROM lab_tests WHERE code = %s", (code,))
    change = "UPDATE lab_tests SET choices = %s WHERE code = %s"
    world.run_sql(change, (list(choices), code))
    try:
        yield
    finally:
        world.run_sql(change, (before, code))
