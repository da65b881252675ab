"""An order on the lab's bench, for tests of entering and releasing its results."""

from tests.server.accounts.builders import Person
from tests.server.world import World


class Bench:
    """An order on the lab's bench."""

    def __init__(self, world: World, lab: Person, nurse: Person, order_id: int) -> None:
        self.world, self.lab, self.nurse, self.order_id = world, lab, nurse, order_id
        self.path = f"/api/v2/orders/{order_id}"

    async def read_entry(self) -> dict:
        """Read the result entry screen."""
        answer = await self.world.http.get(f"{self.path}/result-entry", headers=self.lab.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def get_row(self, code: str) -> dict:
        """Read the first row of a test on the result entry screen."""
        return next(r for r in (await self.read_entry())["rows"] if r["code"] == code)

    async def enter(
        self,
        version: int | None = None,
        *,
        write: dict | None = None,
        person: Person | None = None,
        **values: str,
    ):
        """Enter values by test code, each with the other properties of ``write``."""
        rows = {r["code"]: r["orderTestId"] for r in (await self.read_entry())["rows"]}
        headers = {**(person or self.lab).headers}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return await self.world.http.put(
            f"{self.path}/result-entry",
            headers=headers,
            json={
                "results": [
                    {"orderTestId": rows[code], "result": value, **(write or {})}
                    for code, value in values.items()
                ]
            },
        )

    async def correct(self, reason: str = "TRANSCRIPTION", words: str = "", **values: str):
        """Correct released values by test code."""
        return await self.enter(write={"correction": {"reason": reason, "words": words}}, **values)

    async def post(self, act: str, *codes: str, person: Person | None = None, **body: object):
        """Send an act on these tests, or on all."""
        rows = {r["code"]: r["orderTestId"] for r in (await self.read_entry())["rows"]}
        return await self.world.http.post(
            f"{self.path}/{act}",
            headers=(person or self.lab).headers,
            json={"orderTestIds": [rows[c] for c in codes] if codes else None, **body},
        )

    async def release(self, *codes: str, person: Person | None = None):
        """Release these tests, or all."""
        return await self.post("release", *codes, person=person)

    async def read_results(self, person: Person) -> dict[str, dict]:
        """Read the clinical results as a person, by test name."""
        answer = await self.world.http.get(f"{self.path}/clinical-results", headers=person.headers)
        return {row["name"]: row for row in answer.json()}

    async def read_order(self) -> dict:
        """Read the order as the nurse."""
        return (await self.world.http.get(self.path, headers=self.nurse.headers)).json()


async def receive_order(world: World, *codes: str, **values: object) -> Bench:
    """Receive an order for these tests; ``values`` are further fields of its requisition."""
    client = world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    lab = await world.create_person("Laboratory")
    requisition = await world.save_requisition(
        nurse, world.create_patient(client), *codes, **values
    )
    answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
    )
    return Bench(world, lab, nurse, answer.json()[0]["orderId"])


async def receive_another_order(bench: Bench, *codes: str) -> Bench:
    """Receive another order of the same patient for these tests."""
    world = bench.world
    patient = (await bench.read_order())["patient"]["id"]
    requisition = await world.save_requisition(bench.nurse, patient, *codes)
    answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=bench.lab.headers, json={"ids": [requisition["id"]]}
    )
    return Bench(world, bench.lab, bench.nurse, answer.json()[0]["orderId"])


async def receive_difference(world: World) -> Bench:
    """Receive an order for a whole, its part, and the difference of both, which is calculated."""
    world.add_lab_test("XWHOLE", unit="mg/dL", decimals=1)
    world.add_lab_test("XPART", unit="mg/dL", decimals=1)
    world.add_lab_test(
        "XREST",
        unit="mg/dL",
        decimals=1,
        formula="indirect-bilirubin",
        formula_inputs=["XWHOLE", "XPART"],
        formula_source="Definition",
    )
    return await receive_order(world, "XWHOLE", "XPART", "XREST")
