"""Receiving, rejecting, and replacing the tubes of an order."""

import asyncio

import pytest

from app.contract import messages
from app.contract.enumerations import ResultStatus
from tests.server.accounts.builders import Person
from tests.server.orders.canceling import cancel_tests
from tests.server.results.clinical.bench import Bench, receive_order
from tests.server.world import World

RECEIVE = "/api/v2/requisitions/receive"


@pytest.fixture
async def bench(world: World) -> Bench:
    """An order for a blood count and glucose, in a lavender and a gold tube."""
    return await receive_order(world, "CBC", "GLU")


class Tubes:
    """The tubes of an order, as the lab changes them."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.path = f"{bench.path}/specimens"

    async def read(self, person: Person | None = None) -> dict:
        """Read the tubes."""
        headers = (person or self.bench.lab).headers
        answer = await self.bench.world.http.get(self.path, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def change(self, *tubes: dict, version: int | None = None, **details: object):
        """Change tubes as the lab."""
        headers = {**self.bench.lab.headers}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return await self.bench.world.http.put(
            self.path, headers=headers, json={"tubes": list(tubes), **details}
        )

    async def reject(self, number: int, reason: str = "CLOTTED", words: str | None = None):
        """Reject a tube."""
        return await self.change(
            {"number": number, "state": "rejected", "reason": reason, "reasonWords": words}
        )

    async def list_awaiting(self) -> list[str]:
        """List the tests that wait for a new collection, as the nurse sees them."""
        answer = await self.bench.world.http.get(
            f"{self.bench.path}/tests", headers=self.bench.nurse.headers
        )
        return [test["name"] for test in answer.json() if test["awaitsCollection"]]


class TestReceiving:
    """POST receive with tubes."""

    async def test_receives_all_tubes_as_their_labels_name_them(self, bench: Bench) -> None:
        tubes = (await Tubes(bench).read())["tubes"]
        assert [(t["number"], t["container"], t["state"]) for t in tubes] == [
            (1, "Lavender Top", "received"),
            (2, "Gold Top", "received"),
        ]
        order = await bench.read_order()
        assert (order["specimenCondition"], order["entryAlert"]) == ("ACCEPTABLE", None)

    async def test_receives_some_tubes_with_site_alert_and_condition(
        self, world: World, nurse: Person
    ) -> None:
        lab = await world.create_person("Laboratory")
        requisition = await world.save_requisition(
            nurse, world.create_patient(nurse.client), "CBC", "GLU"
        )
        tubes_answer = await world.http.get(
            f"/api/v2/requisitions/{requisition['id']}/tubes", headers=nurse.headers
        )
        assert [tube["container"] for tube in tubes_answer.json()] == ["Lavender Top", "Gold Top"]
        body = {
            "code": requisition["code"],
            "entryAlert": " No diagnosis ",
            "collectionSite": "home collection",
            "tubes": [
                {"number": 1, "state": "expected"},
                {"number": 2, "state": "received", "conditions": ["HEMOLYZED", "LIPEMIC"]},
            ],
        }
        answer = await world.http.post(RECEIVE, headers=lab.headers, json=body)
        assert answer.status_code == 200, answer.text
        [received_order] = answer.json()
        assert (received_order["tubes"], received_order["tubesDue"]) == (1, 2)
        assert received_order["clientToCall"] is None
        path = f"/api/v2/orders/{received_order['orderId']}"
        order = (await world.http.get(path, headers=nurse.headers)).json()
        assert order["entryAlert"] == "No diagnosis"
        assert order["collectionSites"] == [{"name": "Home Collection"}]
        assert order["specimenCondition"] == "GOLD TOP: HEMOLYZED, LIPEMIC"
        assert order["awaitsCollection"] is False

    @pytest.mark.parametrize(
        ("tube", "field"),
        [
            ({"number": 9, "state": "received"}, "tubes"),
            ({"number": 1, "state": "rejected"}, "tubes.0.reason"),
            ({"number": 1, "state": "rejected", "reason": "OTHER"}, "tubes.0.reasonWords"),
            ({"number": 1, "state": "received", "conditions": ["NONE"]}, "tubes.0.conditions"),
        ],
    )
    async def test_rejects_unknown_details_and_receives_nothing(
        self, world: World, nurse: Person, tube: dict, field: str
    ) -> None:
        lab = await world.create_person("Laboratory")
        requisition = await world.save_requisition(nurse, world.create_patient(nurse.client))
        body = {"ids": [requisition["id"]], "tubes": [tube]}
        answer = await world.http.post(RECEIVE, headers=lab.headers, json=body)
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, field)
        assert not world.run_sql(
            "SELECT id FROM orders WHERE requisition_id = %s", (requisition["id"],)
        )

    async def test_asks_for_a_call_if_no_email_reports_a_rejected_tube(
        self, world: World, nurse: Person
    ) -> None:
        # An address alone is not enough: this portal has no mail server.
        [(name, phone)] = world.fetch_rows(
            "UPDATE clients SET notice_email = 'n@c.example', phone = '3125550100' WHERE id = %s"
            " RETURNING name, phone",
            (nurse.client,),
        )
        lab = await world.create_person("Laboratory")
        requisition = await world.save_requisition(nurse, world.create_patient(nurse.client))
        tube = {"number": 1, "state": "rejected", "reason": "CLOTTED"}
        body = {"ids": [requisition["id"]], "tubes": [tube]}
        answer = await world.http.post(RECEIVE, headers=lab.headers, json=body)
        [received_order] = answer.json()
        client_to_call = {"name": name, "phone": phone}
        assert (received_order["tubes"], received_order["clientToCall"]) == (0, client_to_call)
        path = f"/api/v2/orders/{received_order['orderId']}/specimens"
        for person, expected in ((lab, client_to_call), (nurse, None)):
            read_answer = await world.http.get(path, headers=person.headers)
            assert read_answer.json()["clientToCall"] == expected

    async def test_rejects_tubes_for_several_requisitions(
        self, world: World, nurse: Person
    ) -> None:
        lab = await world.create_person("Laboratory")
        patient = world.create_patient(nurse.client)
        ids = [(await world.save_requisition(nurse, patient))["id"] for _ in range(2)]
        body = {"ids": ids, "tubes": [{"number": 1, "state": "received"}]}
        answer = await world.http.post(RECEIVE, headers=lab.headers, json=body)
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "tubes")


class TestRejecting:
    """PUT specimens with a rejected tube."""

    async def test_marks_the_tests_of_the_tube_until_its_replacement_arrives(
        self, bench: Bench
    ) -> None:
        tubes = Tubes(bench)
        answer = await tubes.reject(1)
        assert answer.status_code == 200, answer.text
        assert [(t["number"], t["state"]) for t in answer.json()["tubes"]] == [
            (1, "rejected"),
            (1, "expected"),
            (2, "received"),
        ]
        tube = (await tubes.read(bench.nurse))["tubes"][0]
        assert (tube["reason"], tube["rejectedBy"]) == ("Clotted", "Ada Tester")
        assert await tubes.list_awaiting() == [
            "COMPLETE BLOOD COUNT",
            "WHITE BLOOD CELLS",
            "HEMOGLOBIN",
        ]
        order = await bench.read_order()
        assert order["awaitsCollection"] is True
        condition = "LAVENDER TOP: REJECTED (CLOTTED), NEW COLLECTION REQUESTED"
        assert order["specimenCondition"] == condition
        results = await bench.read_results(bench.nurse)
        assert results["HEMOGLOBIN"]["awaitsCollection"] is True
        assert results["GLUCOSE"]["awaitsCollection"] is False
        for time, message in (
            ("2090-03-05T08:30:00", messages.TUBE_COLLECTION_IN_FUTURE),
            ("1901-03-05T08:30:00", messages.TUBE_COLLECTION_BEFORE_BIRTH),
        ):
            impossible_answer = await tubes.change(
                {"number": 1, "state": "received", "collectedAt": time}
            )
            assert impossible_answer.json()["errors"] == [
                {"field": "tubes.0.collectedAt", "message": message}
            ]
        replacement_answer = await tubes.change(
            {"number": 1, "state": "received", "collectedAt": "2026-03-05T08:30:00"}
        )
        assert replacement_answer.json()["awaitsCollection"] is False
        assert await tubes.list_awaiting() == []
        collected_again = "LAVENDER TOP: COLLECTED AGAIN 03/05/2026 08:30 AM"
        assert replacement_answer.json()["specimenCondition"] == collected_again
        assert [t["state"] for t in replacement_answer.json()["tubes"]][:2] == [
            "rejected",
            "received",
        ]

    async def test_the_second_of_two_concurrent_rejections_sees_the_first(
        self, bench: Bench
    ) -> None:
        tubes = Tubes(bench)
        version = (await tubes.read())["version"]
        tube = {"number": 2, "state": "rejected", "reason": "LEAKED"}
        answers = await asyncio.gather(*(tubes.change(tube, version=version) for _ in range(2)))
        assert sorted(answer.status_code for answer in answers) == [200, 412]
        assert len((await tubes.read())["tubes"]) == 3

    async def test_shows_the_rejection_in_the_search_of_the_client(self, bench: Bench) -> None:
        await Tubes(bench).reject(2)
        answer = await bench.world.http.get(
            f"/api/v2/orders/ids?ids={bench.order_id}", headers=bench.nurse.headers
        )
        [row] = answer.json()
        assert row["awaitsCollection"] is True
        assert await self.count_awaiting(bench) == 1
        assert await self.count_awaiting(bench, patientIds=0) == 0
        await Tubes(bench).change({"number": 2, "state": "received"})
        assert await self.count_awaiting(bench) == 0

    async def count_awaiting(self, bench: Bench, **filters: int) -> int:
        """Count the nurse's orders that wait for a new collection, in the search."""
        answer = await bench.world.http.get(
            "/api/v2/orders/remote-operations",
            headers=bench.nurse.headers,
            params={"awaitsCollection": "true", **filters},
        )
        assert answer.status_code == 200, answer.text
        return answer.json()["totalCount"]

    async def test_a_canceled_order_accepts_no_specimens(self, bench: Bench) -> None:
        await Tubes(bench).reject(1)
        cancel_answer = await bench.world.http.post(
            f"{bench.path}/cancel", headers=bench.lab.headers, json={"reason": "SPECIMEN"}
        )
        assert cancel_answer.json()["awaitsCollection"] is False
        answer = await Tubes(bench).change({"number": 1, "state": "received"})
        assert (answer.status_code, answer.json()["code"]) == (409, "order_read_only")
        assert (await bench.get_row("HGB"))["status"] == ResultStatus.CANCELED

    async def test_canceled_tests_need_no_new_collection(self, bench: Bench) -> None:
        tubes = Tubes(bench)
        await tubes.reject(1)
        request = "LAVENDER TOP: REJECTED (CLOTTED), NEW COLLECTION REQUESTED"
        cancel_answer = await cancel_tests(bench, "WHITE BLOOD CELLS")
        assert cancel_answer.json()["specimenCondition"] == request
        cancel_answer = await cancel_tests(bench, "HEMOGLOBIN")
        assert cancel_answer.json()["specimenCondition"] == "LAVENDER TOP: REJECTED (CLOTTED)"
        assert cancel_answer.json()["awaitsCollection"] is False
        specimens = await tubes.read(bench.nurse)
        assert specimens["specimenCondition"] == "LAVENDER TOP: REJECTED (CLOTTED)"
        assert [(t["number"], t["isNeeded"]) for t in specimens["tubes"]] == [
            (1, False),
            (1, False),
            (2, True),
        ]
        assert await tubes.list_awaiting() == []
        assert await self.count_awaiting(bench) == 0
        reinstate_answer = await bench.world.http.post(
            f"{bench.path}/reinstate", headers=bench.lab.headers, json={}
        )
        assert reinstate_answer.json()["specimenCondition"] == request
        assert await self.count_awaiting(bench) == 1
