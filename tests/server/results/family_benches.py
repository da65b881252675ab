"""Orders of each family with one released result, for tests of their shared behavior."""

from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

import httpx

from app.contract.enumerations import Role
from app.server.results.entry.repository import HOLDS_LOCK
from tests.server.accounts.builders import Person
from tests.server.world import World


@dataclass(frozen=True)
class Case:
    """A family: its test, an entry and its correction, and a text that each of the two shows.

    ``part`` is the end of the path of its results.
    """

    family: str
    code: str
    part: str
    first: dict[str, Any]
    corrected: dict[str, Any]
    words: tuple[str, str]


CASES = {
    "microbiology": Case(
        "microbiology",
        "UCUL",
        "microbiology-results",
        {"source": "URINE_CC", "organisms": [{"code": "NFLOR", "quantity": "FEW"}]},
        {"source": "URINE_CC", "findings": [{"code": "NG"}], "reasonCode": "SPECIMEN"},
        ("flora", "No growth"),
    ),
    "toxicology": Case(
        "toxicology",
        "QFEN",
        "toxicology-alpha-results",
        {"result": "41.5"},
        {"result": "0.25", "reasonCode": "SPECIMEN"},
        ("41.5", "0.25"),
    ),
    "pathology": Case(
        "pathology",
        "SURG",
        "pathology-results",
        {"comment": "<p>Melanoma in situ.</p>", "signedOutBy": "DANA HALL, MD", "flag": "AA"},
        {
            "kind": 4,
            "comment": "<p>Benign nevus.</p>",
            "signedOutBy": "DANA HALL, MD",
            "reasonCode": "SPECIMEN",
        },
        ("Melanoma", "Benign"),
    ),
}


@dataclass
class Bench:
    """An order of one family, with the people who work on it and read it."""

    world: World
    case: Case
    people: dict[str, Person]
    client: int
    order_id: int

    @property
    def path(self) -> str:
        """The path of the order."""
        return f"/api/v2/orders/{self.order_id}"

    async def send(
        self, method: str, path: str, body: Any = None, person: str = "lab"
    ) -> httpx.Response:
        """Send a request below the order."""
        headers = self.people[person].headers
        return await self.world.http.request(
            method, f"{self.path}/{path}", headers=headers, json=body
        )

    async def read_test(self, person: str = "lab") -> dict[str, Any]:
        """Read the test on the entry screen."""
        answer = await self.send("GET", f"{self.case.family}-entry", person=person)
        assert answer.status_code == 200, answer.text
        tests = answer.json().get("tests") or answer.json()["rows"]
        return next(test for test in tests if test["code"] == self.case.code)

    async def enter(self, body: dict[str, Any], person: str = "lab") -> httpx.Response:
        """Enter a result of the test."""
        test_id = (await self.read_test(person))["orderTestId"]
        path = f"{self.case.family}-entry"
        if self.case.family == "toxicology":
            results = {"results": [{"orderTestId": test_id, **body}]}
            return await self.send("PUT", path, results, person)
        return await self.send("PUT", f"{path}/{test_id}", body, person)

    async def release(
        self, person: str = "lab", *, is_chosen: bool = False, kind: str = "final"
    ) -> httpx.Response:
        """Release the test alone if it is chosen, else everything that was entered."""
        ids = [(await self.read_test(person))["orderTestId"]] if is_chosen else None
        body: dict[str, Any] = {"orderTestIds": ids}
        if self.case.family == "microbiology":
            body["kind"] = kind
        return await self.send("POST", f"{self.case.family}-release", body, person)

    async def publish(self, body: dict[str, Any]) -> None:
        """Enter and release a result."""
        for answer in (await self.enter(body), await self.release()):
            assert answer.status_code == 200, answer.text

    async def act(self, act: str, person: str = "lab", **body: Any) -> httpx.Response:
        """Send an act on the test."""
        ids = [(await self.read_test())["orderTestId"]]
        return await self.send(
            "POST", f"{self.case.family}-{act}", {"orderTestIds": ids, **body}, person
        )

    async def read_result(self, person: str) -> tuple[dict[str, Any], str]:
        """Return the test's result as a person reads it, and the whole text of the answer."""
        answer = await self.send("GET", self.case.part, person=person)
        assert answer.status_code == 200, answer.text
        rows = answer.json()
        key = str((await self.read_test())["orderTestId"])
        return next(row for row in rows if str(row["key"]) == key), answer.text

    async def read_order(self, person: str = "nurse") -> dict[str, Any]:
        """Read the order."""
        headers = self.people[person].headers
        return (await self.world.http.get(self.path, headers=headers)).json()


async def receive_order(world: World, family: str | Case) -> Bench:
    """Receive an order for the test of a case, or of the usual case of a family."""
    case = CASES[family] if isinstance(family, str) else family
    client = world.create_client()
    patient = world.create_patient(client)
    people = {
        "nurse": await world.create_person(Role.CLIENT_BASIC, client_ids=[client]),
        "patient": await world.create_person(Role.PATIENT, patient_ids=[patient]),
        "lab": await world.create_person(Role.LABORATORY),
        "other": await world.create_person(Role.LABORATORY),
    }
    requisition = await world.save_requisition(people["nurse"], patient, case.code)
    answer = await world.http.post(
        "/api/v2/requisitions/receive",
        headers=people["lab"].headers,
        json={"ids": [requisition["id"]]},
    )
    return Bench(world, case, people, client, answer.json()[0]["orderId"])


async def hold_everywhere_meanwhile(
    world: World,
    order_test_id: int,
    person: Person,
    request: Coroutine[Any, Any, httpx.Response],
) -> httpx.Response:
    """Hold a test in every order while the request waits for its turn; return its answer."""
    statement = (
        "INSERT INTO result_holds (test_id, reason, placed_by, placed_at)"
        " SELECT t.test_id, 'CONTROL', %s, now() FROM order_tests t,"
        " (SELECT pg_advisory_xact_lock(%s)) locked WHERE t.id = %s"
    )
    values = (person.user_id, HOLDS_LOCK, order_test_id)
    return await world.commit_meanwhile(statement, values, request)
