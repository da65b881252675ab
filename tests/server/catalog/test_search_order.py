"""Other codes of tests, and the order of the searches for tests, diagnoses and medications."""

from typing import Any

import pytest

from app.contract.enumerations import Role
from tests.server.accounts.builders import Person
from tests.server.world import World

TESTS = "tests/remote-operations"


@pytest.fixture
async def nurse(world: World) -> Person:
    """A nurse of ``nurse.client``, with five tests whose names and codes look alike."""
    client = world.create_client()
    person = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])
    person.client = client
    for code, name in (
        (f"ZQ{client}", "TOTAL OF SOMETHING"),
        (f"ZQ{client}B", "A LONGER CODE"),
        (f"W1{client}", f"ZQ{client} FIRST IN THE NAME"),
        (f"V1{client}", f"SERUM ZQ{client}"),
        (f"U1{client}", f"SERUM XZQ{client}"),
    ):
        world.run_sql(
            "INSERT INTO lab_tests (code, name, search_text, kind, result_type)"
            " VALUES (%s, %s, %s, 'clinical', 1)",
            (code, name, f"{code} {name}"),
        )
    return person


def add_code(world: World, code: str, test: str, client: int | None = None) -> None:
    """Add another code of a test."""
    world.run_sql(
        "INSERT INTO test_codes (code, test_id, client_id) VALUES (%s, %s, %s)",
        (code, world.get_test_id(test), client),
    )


async def fetch_codes(world: World, person: Person, path: str, **query: Any) -> list[str]:
    """Return the codes (or names, for records without codes) in the order of the answer."""
    answer = await world.http.get(f"/api/v2/{path}", headers=person.headers, params=query)
    assert answer.status_code == 200, answer.text
    return [row.get("code") or row["name"] for row in answer.json()["data"]]


class TestOtherCodes:
    """DECISIONS: 'Alternate codes are looked up as well, so that one code may match several.'"""

    @pytest.mark.parametrize("all_tests", ["true", "false"])
    async def test_a_former_code_finds_its_tests(
        self, world: World, nurse: Person, all_tests: str
    ) -> None:
        old = f"OLD{nurse.client}"
        add_code(world, old, "GLU")
        query = {"clientId": nurse.client, "allTests": all_tests}
        assert await fetch_codes(world, nurse, TESTS, code=old.lower(), **query) == ["GLU"]
        assert await fetch_codes(world, nurse, TESTS, search=old, **query) == ["GLU"]
        add_code(world, old, "K")
        assert set(await fetch_codes(world, nurse, TESTS, code=old, **query)) == {"GLU", "K"}

    async def test_hides_a_clients_code_from_other_clients(
        self, world: World, nurse: Person
    ) -> None:
        own = f"OWN{nurse.client}"
        other = world.create_client()
        lab = await world.create_person(Role.LABORATORY)
        add_code(world, own, "GLU", nurse.client)
        add_code(world, own, "K", other)
        assert await fetch_codes(world, nurse, TESTS, code=own) == ["GLU"]
        assert await fetch_codes(world, nurse, TESTS, code=own, clientId=nurse.client) == ["GLU"]
        assert await fetch_codes(world, lab, TESTS, code=own, clientId=other) == ["K"]
        assert await fetch_codes(world, lab, TESTS, code=own) == []
        assert await fetch_codes(world, lab, TESTS, search=own, clientId=other) == ["K"]

    async def test_finds_a_test_by_its_own_code_and_another_by_its_former_code(
        self, world: World, nurse: Person
    ) -> None:
        add_code(world, "K", "GLU", nurse.client)
        query = {"code": "K", "clientId": nurse.client}
        assert set(await fetch_codes(world, nurse, TESTS, **query)) == {"K", "GLU"}


class TestExactMatches:
    """ADR 27: only an exact match, or the only match, is chosen by one Enter."""

    async def test_marks_codes_other_codes_and_complete_names(
        self, world: World, nurse: Person
    ) -> None:
        client, old = nurse.client, f"OLD{nurse.client}"
        add_code(world, old, "GLU", client)
        for search, exact in (
            (f"zq{client}", {f"ZQ{client}"}),
            (f"zq{client} first in the name", {f"W1{client}"}),
            (f"zq{client} first", set()),
            (old, {"GLU"}),
            (old[:-1], set()),
        ):
            answer = await world.http.get(
                f"/api/v2/{TESTS}",
                headers=nurse.headers,
                params={"search": search, "clientId": client, "allTests": "true"},
            )
            rows = answer.json()["data"]
            assert {row["code"] for row in rows if row["isExact"]} == exact, search
            assert rows, search

    async def test_marks_every_test_of_a_code(self, world: World, nurse: Person) -> None:
        old = f"TWO{nurse.client}"
        add_code(world, old, "GLU")
        add_code(world, old, "K")
        answer = await world.http.get(
            f"/api/v2/{TESTS}", headers=nurse.headers, params={"search": old}
        )
        assert [row["isExact"] for row in answer.json()["data"]] == [True, True]


class TestOrder:
    """Searches with ``sort=relevance``."""

    async def test_ranks_tests_by_how_well_they_match(self, world: World, nurse: Person) -> None:
        client, query = nurse.client, {"search": f"zq{nurse.client}", "sort": "relevance,code"}
        exact, longer, name, word, inside = (
            f"ZQ{client}",
            f"ZQ{client}B",
            f"W1{client}",
            f"V1{client}",
            f"U1{client}",
        )
        assert await fetch_codes(world, nurse, TESTS, **query) == [
            exact,
            longer,
            name,
            word,
            inside,
        ]
        preferred_ids = [world.get_test_id(inside), world.get_test_id(name)]
        assert await fetch_codes(world, nurse, TESTS, preferred=preferred_ids, **query) == [
            exact,
            name,
            longer,
            inside,
            word,
        ]

    async def test_a_complete_name_selects_that_test(self, world: World, nurse: Person) -> None:
        """A preferred test that has the name as one of its words comes later."""
        panel, name = f"P1{nurse.client}", f"PANEL WITH ZQ{nurse.client} FIRST IN THE NAME"
        world.run_sql(
            "INSERT INTO lab_tests (code, name, search_text, kind, result_type)"
            " VALUES (%s, %s, %s, 'clinical', 1)",
            (panel, name, f"{panel} {name}"),
        )
        query = {"sort": "relevance,code", "preferred": [world.get_test_id(panel)]}
        for search in (f"zq{nurse.client} first in the name", f"zq{nurse.client} first in"):
            rows = await fetch_codes(world, nurse, TESTS, search=search, **query)
            assert rows == [f"W1{nurse.client}", panel], search

    async def test_diagnoses_of_a_code_keep_their_order(self, world: World, nurse: Person) -> None:
        for code, words in (("Q98.0", "A long description"), ("Q98.1", "Short")):
            world.run_sql(
                "INSERT INTO diagnoses (code, description, search_text, valid_from, release)"
                " VALUES (%s, %s, %s, '2015-10-01', '2026') ON CONFLICT DO NOTHING",
                (code, words, f"{code} {words}".upper()),
            )
        path, query = "diagnoses/remote-operations", {"search": "q98", "sort": "relevance,code"}
        assert await fetch_codes(world, nurse, path, **query) == ["Q98.0", "Q98.1"]

    async def test_preferred_tests_come_first_without_a_search(
        self, world: World, nurse: Person
    ) -> None:
        preferred_ids = [world.get_test_id("K"), world.get_test_id("CBC")]
        rows = await fetch_codes(
            world, nurse, TESTS, preferred=preferred_ids, sort="relevance,code"
        )
        assert rows[:2] == ["K", "CBC"]

    async def test_ranks_the_diagnosis_that_people_mean_first(
        self, world: World, nurse: Person
    ) -> None:
        for code, words in (
            ("G93.2", "Benign intracranial hypertension"),
            ("I11.9", "Hypertensive heart disease without heart failure"),
            ("I15.9", "Secondary hypertension, unspecified"),
            ("N39.0", "Urinary tract infection, site not specified"),
            ("E08.9", "Diabetes mellitus due to underlying condition without complications"),
            ("E11.00", "Type 2 diabetes mellitus with hyperosmolarity without coma"),
        ):
            world.run_sql(
                "INSERT INTO diagnoses (code, description, search_text, valid_from, release)"
                " VALUES (%s, %s, %s, '2015-10-01', '2026') ON CONFLICT DO NOTHING",
                (code, words, f"{code} {words}".upper()),
            )
        for term, code in (
            ("HYPERTENSION", "I10"),
            ("HTN", "I10"),
            ("UTI", "N39.0"),
            ("DIABETES", "E11.9"),
        ):
            world.run_sql(
                "INSERT INTO diagnosis_terms (term, diagnosis_id)"
                " SELECT %s, id FROM diagnoses WHERE code = %s ON CONFLICT DO NOTHING",
                (term, code),
            )
        for search, first in (
            ("hypertens", "I10"),
            ("htn", "I10"),
            ("uti", "N39.0"),
            ("diabetes", "E11.9"),
            ("i11.9", "I11.9"),
            ("i119", "I11.9"),
            ("g93", "G93.2"),
            ("e11", "E11.9"),
            ("hypertensive", "I11.9"),
            ("urinary", "N39.0"),
        ):
            rows = await fetch_codes(
                world, nurse, "diagnoses/remote-operations", search=search, sort="relevance,code"
            )
            assert rows[0] == first, search

    async def test_ranks_medications_by_where_they_match(self, world: World, nurse: Person) -> None:
        names = ["AXMETFOR", "GLIPIZIDE AND METFOR", "METFOR 500 MG"]
        for name in names:
            world.run_sql(
                "INSERT INTO medications (name) VALUES (%s) ON CONFLICT DO NOTHING", (name,)
            )
        rows = await fetch_codes(
            world,
            nurse,
            "medications/remote-operations",
            search="metfor",
            sort="relevance,name",
            take=100,
        )
        assert [name for name in rows if name in names] == names[::-1]
