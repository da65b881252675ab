"""An order for a biopsy on the lab's bench."""

from tests.server.accounts.builders import Person
from tests.server.world import World

BIOPSY = "<h3>Diagnosis</h3><p>Benign nevus.</p>"
SIGNER = "DANA HALL, MD"


class Bench:
    """An order for a biopsy and glucose on the lab's bench."""

    def __init__(self, world: World, lab: Person, nurse: Person, order_id: int) -> None:
        self.world, self.lab, self.nurse, self.order_id = world, lab, nurse, order_id
        self.path = f"/api/v2/orders/{order_id}"

    async def read_entry(self) -> dict:
        """Read the entry screen."""
        answer = await self.world.http.get(f"{self.path}/pathology-entry", headers=self.lab.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def read_test(self) -> dict:
        """Read the biopsy on the entry screen."""
        [test] = (await self.read_entry())["tests"]
        return test

    async def enter(self, comment: str | None = BIOPSY, version: int | None = None, **values):
        """Enter a report on the biopsy."""
        test_id = (await self.read_test())["orderTestId"]
        headers = dict(self.lab.headers)
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return await self.world.http.put(
            f"{self.path}/pathology-entry/{test_id}",
            headers=headers,
            json={"comment": comment, "signedOutBy": SIGNER, **values},
        )

    async def release(self, **values):
        """Release the entered report."""
        return await self.world.http.post(
            f"{self.path}/pathology-release", headers=self.lab.headers, json=values
        )

    async def publish(self, comment: str = BIOPSY, **values) -> None:
        """Enter and release a report."""
        entry_answer = await self.enter(comment, **values)
        assert entry_answer.status_code == 200, entry_answer.text
        release_answer = await self.release()
        assert release_answer.status_code == 200, release_answer.text

    async def read_result(self, person: Person) -> dict:
        """Read the biopsy's results as a person."""
        answer = await self.world.http.get(f"{self.path}/pathology-results", headers=person.headers)
        [result] = answer.json()
        return result

    async def read_order(self) -> dict:
        """Read the order as the nurse."""
        return (await self.world.http.get(self.path, headers=self.nurse.headers)).json()
