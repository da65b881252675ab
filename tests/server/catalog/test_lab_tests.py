"""Offered tests by client and role, and which tests may be ordered."""

from urllib.parse import quote

import pytest

from app.contract import messages
from tests.server.accounts.builders import Person
from tests.server.world import World

BASE = "/api/v2/tests"


@pytest.fixture
async def lab(world: World) -> Person:
    """Lab staff."""
    return await world.create_person("Laboratory")


async def search_codes(world: World, person: Person, query: str = "") -> set[str]:
    """Return the codes of the tests that a search finds, from all its pages."""
    codes: set[str] = set()
    first_path = f"{BASE}/remote-operations?take=100&sort=code&{query}"
    path = first_path
    while True:
        answer = await world.http.get(path, headers=person.headers)
        assert answer.status_code == 200, answer.text
        codes |= {row["code"] for row in answer.json()["data"]}
        cursor = answer.json()["next"]
        if cursor is None:
            return codes
        path = f"{first_path}&after={quote(cursor)}"


class TestOwnList:
    """remote-operations with clientId and allTests."""

    async def test_a_client_without_a_list_has_the_whole_catalog(
        self, world: World, nurse, lab
    ) -> None:
        for person, query in ((nurse, ""), (lab, f"clientId={nurse.client}")):
            assert {"GLU", "K", "CBC"} <= await search_codes(world, person, query)

    async def test_a_client_with_a_list_has_its_list_and_private_tests(
        self, world: World, nurse, lab
    ) -> None:
        world.put_on_client_list(nurse.client, "GLU", "CBC")
        own = world.add_private_test(nurse.client)
        for person, query in (
            (nurse, ""),
            (nurse, f"clientId={nurse.client}"),
            (nurse, f"clientId={nurse.client}&allTests=false"),
            (lab, f"clientId={nurse.client}"),
        ):
            assert await search_codes(world, person, query) == {"GLU", "CBC", own}

    async def test_all_tests_leaves_out_private_tests_of_others(
        self, world: World, nurse, lab
    ) -> None:
        world.put_on_client_list(nurse.client, "GLU")
        own, others = (
            world.add_private_test(nurse.client),
            world.add_private_test(world.create_client()),
        )
        for person in (nurse, lab):
            codes = await search_codes(world, person, f"clientId={nurse.client}&allTests=true")
            assert {"GLU", "K", "CBC", own} <= codes and others not in codes

    async def test_lab_staff_see_all_tests_without_a_client(self, world: World, nurse, lab) -> None:
        own = world.add_private_test(nurse.client)
        assert own in await search_codes(world, lab, "search=PRIVATE")

    async def test_a_foreign_client_answers_like_a_nonexistent_one(
        self, world: World, nurse
    ) -> None:
        other = world.create_client()
        world.put_on_client_list(other, "GLU")
        world.add_private_test(other)
        paths = [f"{BASE}/remote-operations?clientId={i}" for i in (other, 999_999_999)]
        paths += [f"{path}&allTests=true" for path in paths]
        answers = [await world.http.get(path, headers=nurse.headers) for path in paths]
        assert answers[0].content == answers[1].content
        assert answers[2].content == answers[3].content
        assert answers[0].json()["data"] == []

    async def test_users_of_two_clients_have_both_lists(self, world: World) -> None:
        first, second = world.create_client(), world.create_client()
        world.put_on_client_list(first, "GLU")
        world.put_on_client_list(second, "K")
        person = await world.create_person("Client Admin", client_ids=[first, second])
        assert await search_codes(world, person) == {"GLU", "K"}
        assert await search_codes(world, person, f"clientId={second}") == {"K"}
        assert await search_codes(world, person, f"clientIds={first}") == {"GLU"}

    async def test_physicians_and_patients_see_no_foreign_private_tests(
        self, world: World, nurse
    ) -> None:
        own, others = (
            world.add_private_test(nurse.client),
            world.add_private_test(world.create_client()),
        )
        physician_id = world.create_physician(nurse.client)
        patient = world.create_patient(nurse.client)
        for person in (
            await world.create_person("Physician", physician_ids=[physician_id]),
            await world.create_person("Patient", patient_ids=[patient]),
        ):
            codes = await search_codes(world, person, "search=PRIVATE")
            assert own in codes and others not in codes

    @pytest.mark.parametrize("query", ["allTests=maybe", "clientId=x", "color=red"])
    async def test_rejects_invalid_parameters(self, world: World, nurse, query: str) -> None:
        answer = await world.http.get(f"{BASE}/remote-operations?{query}", headers=nurse.headers)
        assert answer.status_code == 400


class TestOtherCalls:
    """advanced-search, with-children and ids-with-children."""

    async def test_advanced_search_finds_members_of_panels(self, world: World, nurse) -> None:
        world.run_sql("UPDATE lab_tests SET orderable = false WHERE code = 'WBC'")
        try:
            answer = await world.http.get(
                f"{BASE}/advanced-search?search=white", headers=nurse.headers
            )
        finally:
            world.run_sql("UPDATE lab_tests SET orderable = true WHERE code = 'WBC'")
        rows = answer.json()["data"]
        assert rows == [
            {"id": world.get_test_id("WBC"), "code": "WBC", "name": "WHITE BLOOD CELLS"}
        ]

    async def test_returns_trees_by_id(self, world: World, nurse) -> None:
        panel, single = world.get_test_id("CBC"), world.get_test_id("GLU")
        answer = await world.http.get(
            f"{BASE}/ids-with-children?ids={panel}&ids={single}&ids=999999999",
            headers=nurse.headers,
        )
        trees = {tree["code"]: tree for tree in answer.json()}
        assert [child["code"] for child in trees["CBC"]["children"]] == ["WBC", "HGB"]
        assert trees["CBC"]["children"][0]["parentId"] == panel
        assert trees["GLU"]["children"] == [] and len(trees) == 2

    async def test_trees_say_which_tests_are_confidential(self, world: World, nurse) -> None:
        world.run_sql("UPDATE lab_tests SET is_confidential = true WHERE code = 'GLU'")
        try:
            answers = [
                await world.http.get(f"{BASE}/{path}={test}", headers=nurse.headers)
                for path in ("with-children?testId", "ids-with-children?ids")
                for test in (world.get_test_id("GLU"), world.get_test_id("CBC"))
            ]
        finally:
            world.run_sql("UPDATE lab_tests SET is_confidential = false WHERE code = 'GLU'")
        trees = [answer.json()[0] for answer in answers]
        assert [tree["isConfidential"] for tree in trees] == [True, False, True, False]
        assert trees[1]["children"][0]["isConfidential"] is False

    async def test_returns_no_trees_of_foreign_private_tests(
        self, world: World, nurse, lab
    ) -> None:
        own, others = (
            world.add_private_test(nurse.client),
            world.add_private_test(world.create_client()),
        )
        ids = "&".join(f"ids={world.get_test_id(code)}" for code in (own, others))
        for person, codes in ((nurse, {own}), (lab, {own, others})):
            answer = await world.http.get(f"{BASE}/ids-with-children?{ids}", headers=person.headers)
            assert {tree["code"] for tree in answer.json()} == codes


class TestOrdering:
    """Ordering tests on a requisition."""

    async def save(self, world: World, person: Person, patient: int, code: str):
        """Save a requisition with one test."""
        return await world.http.post(
            "/api/v2/requisitions",
            headers=person.headers,
            json=world.build_requisition_body(patient, code),
        )

    async def test_rejects_a_test_outside_the_list_by_name(
        self, world: World, parse_problem, nurse
    ) -> None:
        patient = world.create_patient(nurse.client)
        world.put_on_client_list(nurse.client, "GLU")
        assert (await self.save(world, nurse, patient, "GLU")).status_code == 201
        rejected_answer = await self.save(world, nurse, patient, "K")
        assert rejected_answer.status_code == 400
        assert parse_problem(rejected_answer)["detail"] == "Test K is not on the client's test list"
        assert parse_problem(rejected_answer)["errors"][0]["field"] == "tests.0.test.id"

    async def test_lab_staff_may_order_beyond_the_list(self, world: World, nurse, lab) -> None:
        world.put_on_client_list(nurse.client, "GLU")
        answer = await self.save(world, lab, world.create_patient(nurse.client), "K")
        assert answer.status_code == 201

    async def test_rejects_private_tests_of_other_clients(
        self, world: World, parse_problem, nurse, lab
    ) -> None:
        others = world.add_private_test(world.create_client())
        for person in (nurse, lab):
            rejected_answer = await self.save(
                world, person, world.create_patient(nurse.client), others
            )
            assert rejected_answer.status_code == 400
            assert parse_problem(rejected_answer)["detail"] == messages.TEST_UNKNOWN

    async def test_accepts_a_private_test_of_the_client(self, world: World, nurse) -> None:
        world.put_on_client_list(nurse.client, "GLU")
        own = world.add_private_test(nurse.client)
        assert (
            await self.save(world, nurse, world.create_patient(nurse.client), own)
        ).status_code == 201

    async def test_ordered_tests_stay_when_the_list_changes(self, world: World, nurse) -> None:
        requisition = await world.save_requisition(nurse, world.create_patient(nurse.client), "K")
        world.put_on_client_list(nurse.client, "GLU")
        answer = await world.http.post(
            f"/api/v2/requisitions/{requisition['id']}",
            headers=nurse.headers,
            json={"tests": [{"test": {"id": world.get_test_id(code)}} for code in ("K", "GLU")]},
        )
        assert answer.status_code == 200

    async def test_changing_the_patient_applies_the_list_of_their_client(
        self, world: World, parse_problem
    ) -> None:
        first, second = world.create_client(), world.create_client()
        world.put_on_client_list(second, "GLU")
        person = await world.create_person("Client Admin", client_ids=[first, second])
        requisition = await world.save_requisition(person, world.create_patient(first), "K")
        other = world.create_patient(second)
        rejected_answer = await world.http.post(
            f"/api/v2/requisitions/{requisition['id']}",
            headers=person.headers,
            json={"patientId": other},
        )
        assert rejected_answer.status_code == 400
        assert parse_problem(rejected_answer)["detail"] == messages.TEST_NOT_OF_CLIENT.format(
            code="K"
        )
