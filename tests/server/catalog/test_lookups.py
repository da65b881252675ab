"""Searches for diagnoses and medications, by code, words and day."""

from typing import Any

import pytest

from tests.server.accounts.builders import Person
from tests.server.world import World


@pytest.fixture
def codes(world: World) -> None:
    """Add the diagnoses and medications that these tests search for."""
    for code, words in (
        ("J45.20", "Mild intermittent asthma, uncomplicated"),
        ("J45.21", "Mild intermittent asthma with (acute) exacerbation"),
        ("T50.A95A", "Adverse effect of other bacterial vaccines, initial encounter"),
        ("E10.21", "Type 1 diabetes mellitus with diabetic nephropathy"),
        ("E13.22", "Other specified diabetes mellitus, blood type A2 or 22"),
    ):
        world.run_sql(
            "INSERT INTO diagnoses (code, description, search_text, valid_from, release)"
            " VALUES (%s, %s, %s, '2015-10-01', '2026') ON CONFLICT DO NOTHING",
            (code, words, f"{code} {words}".upper()),
        )
    for name in ("METFORMIN HCL 500 MG", "ATORVASTATIN 20 MG"):
        world.run_sql("INSERT INTO medications (name) VALUES (%s) ON CONFLICT DO NOTHING", (name,))


async def fetch_json(world: World, person: Person, path: str, **query: Any) -> Any:
    """Return the JSON of a successful GET."""
    answer = await world.http.get(f"/api/v2/{path}", headers=person.headers, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.usefixtures("codes")
class TestDiagnoses:
    """GET /v2/diagnoses/remote-operations."""

    async def test_searches_by_words_in_any_order(self, world: World, nurse: Person) -> None:
        for search, expected in (
            ("diabetes type 2", ["E11.9"]),
            ("asthma mild uncomp", ["J45.20"]),
            ("e119", ["E11.9"]),
            ("E11.9", ["E11.9"]),
            ("j452", ["J45.20", "J45.21"]),
            ("j452 exacerbation", ["J45.21"]),
            ("i1", ["I10"]),
            ("type 1 DIABETES", ["E10.21"]),
            ("2", ["E11.9"]),
            ("e10 diabetes", ["E10.21"]),
            ("e1021 type", ["E10.21"]),
            ("a95a", []),
            ("vaccines a95", []),
            ("21", []),
            ("22", ["E13.22"]),
            ("diabetes asthma", []),
            ("100%", []),
        ):
            page = await fetch_json(world, nurse, "diagnoses/remote-operations", search=search)
            assert [row["code"] for row in page["data"]] == expected, search
        assert set(page) == {"data", "totalCount", "totalIsCapped", "next"}

    async def test_searches_by_code_and_day(self, world: World, nurse: Person) -> None:
        path = "diagnoses/remote-operations"
        for query, expected in (
            ({"column.code": "j45.2"}, ["J45.20", "J45.21"]),
            ({"column.code": "z99"}, ["Z99.0"]),
            ({"code": "j452"}, ["J45.20", "J45.21"]),
            ({"code": " J45.21 "}, ["J45.21"]),
            ({"code": "t50a"}, ["T50.A95A"]),
            ({"code": "45"}, []),
            ({"code": "%"}, []),
            ({"code": "j45", "search": "exacerbation"}, ["J45.21"]),
            ({"column.code": "z99", "date": "2020-09-30"}, ["Z99.0"]),
            ({"column.code": "z99", "date": "10/01/2020"}, []),
            ({"column.code": "u09", "date": "2021-09-30"}, []),
        ):
            page = await fetch_json(world, nurse, path, **query)
            assert [row["code"] for row in page["data"]] == expected, query

    async def test_rejects_invalid_values_and_accepts_any_text(
        self, world: World, nurse: Person
    ) -> None:
        path = "/api/v2/diagnoses/remote-operations"
        for query in ({"date": "yesterday"}, {"date": "\x00"}, {"date": "31/31/2020"}, {"x": "1"}):
            answer = await world.http.get(path, headers=nurse.headers, params=query)
            assert answer.status_code == 400, query
        for text in ("x" * 10_000, "a " * 5_000, "\x00", "%_", "'"):
            await fetch_json(world, nurse, "diagnoses/remote-operations", search=text)
            await fetch_json(world, nurse, "medications/remote-operations", search=text)


@pytest.mark.usefixtures("codes")
class TestBestMatch:
    """GET /v2/diagnoses/best-match."""

    @pytest.mark.parametrize("code", ["E11.9", "e119", " e11 . 9 ", "E11", "e11."])
    async def test_finds_the_code_in_any_spelling(
        self, world: World, nurse: Person, code: str
    ) -> None:
        diagnosis = await fetch_json(world, nurse, "diagnoses/best-match", code=code)
        assert diagnosis["code"] == "E11.9"
        assert set(diagnosis) == {"id", "code", "description"}

    async def test_finds_the_only_code_with_the_prefix(self, world: World, nurse: Person) -> None:
        assert (await fetch_json(world, nurse, "diagnoses/best-match", code="t50a"))[
            "code"
        ] == "T50.A95A"

    @pytest.mark.parametrize(
        "code", ["J45", "J45.2", "Z99.0", "E", "", "X99", "%", "\x00", "E" * 10_000, "ß" * 5]
    )
    async def test_is_null_for_unknown_ambiguous_or_expired_codes(
        self, world: World, nurse: Person, code: str
    ) -> None:
        assert await fetch_json(world, nurse, "diagnoses/best-match", code=code) is None


@pytest.mark.usefixtures("codes")
class TestMedications:
    """GET /v2/medications/remote-operations."""

    async def test_searches_medications_by_words(self, world: World, nurse: Person) -> None:
        page = await fetch_json(world, nurse, "medications/remote-operations", search="500 metf")
        assert [row["name"] for row in page["data"]] == ["METFORMIN HCL 500 MG"]
        assert set(page["data"][0]) == {"id", "name"}
        page = await fetch_json(world, nurse, "medications/remote-operations", search="at")
        assert [row["name"] for row in page["data"]] == ["ATORVASTATIN 20 MG"]


class TestDiagnosisValidity:
    """GET /v2/diagnoses/validity: the release in use, and expired codes."""

    async def test_returns_the_release_and_expired_codes(self, world: World) -> None:
        person = await world.create_person("Client Basic", client_ids=[world.create_client()])
        expired_id = world.run_sql(
            "INSERT INTO diagnoses (code, description, search_text, valid_from, valid_to, release)"
            " VALUES ('Z' || nextval('requisition_codes'), 'ENDED', 'ENDED', '2015-10-01',"
            " '2024-09-30', 'FY2024') RETURNING id",
            (),
        )
        valid_id = world.run_sql("SELECT id FROM diagnoses WHERE code = 'I10'", ())

        async def fetch_validity(day: str) -> dict[str, Any]:
            answer = await world.http.get(
                f"/api/v2/diagnoses/validity?date={day}&id={expired_id}&id={valid_id}",
                headers=person.headers,
            )
            assert answer.status_code == 200, answer.text
            return answer.json()

        assert [row["id"] for row in (await fetch_validity("2025-01-01"))["ended"]] == [expired_id]
        assert (await fetch_validity("09/30/2024"))["ended"] == []
        assert (await fetch_validity("2025-01-01"))["release"] == "2026"
        assert (await fetch_validity("1999-01-01"))["release"] is None

    async def test_rejects_an_invalid_day(self, world: World) -> None:
        person = await world.create_person("Client Basic", client_ids=[world.create_client()])
        answer = await world.http.get(
            "/api/v2/diagnoses/validity?date=yesterday", headers=person.headers
        )
        assert answer.status_code == 400
