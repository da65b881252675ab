"""Lists of bill types and payers, and the best match of a payer's name."""

import pytest

from tests.server.accounts.builders import Person
from tests.server.world import World

PAYERS = "/api/v2/billing-information/payers"


def find_bill_type_id(world: World, name: str) -> int:
    """Return the id of a bill type."""
    return int(world.run_sql("SELECT id FROM bill_types WHERE name = %s", (name,)))


class TestBillTypes:
    """GET /v2/billing-information/bill-types/remote-operations."""

    async def test_bill_types_keep_the_order_of_the_lab(self, world: World, nurse: Person) -> None:
        answer = await world.http.get(
            "/api/v2/billing-information/bill-types/remote-operations", headers=nurse.headers
        )
        # Other tests add bill types, which come after those of the lab.
        names = [row["name"] for row in answer.json()["data"]]
        assert names[:3] == ["MEDICARE", "MEDICAID", "COMMERCIAL"]
        assert set(answer.json()["data"][0]) == {"id", "name"}


class TestPayers:
    """GET /v2/billing-information/payers/remote-operations/{billTypeId}."""

    async def test_lists_the_payers_of_the_bill_type(self, world: World, nurse: Person) -> None:
        medicare = find_bill_type_id(world, "MEDICARE")
        answer = await world.http.get(
            f"{PAYERS}/remote-operations/{medicare}", headers=nurse.headers
        )
        rows = answer.json()["data"]
        assert ("MEDICARE PART A", medicare, "MEDICARE") in [
            (row["name"], row["billTypeId"], row["billType"]) for row in rows
        ]
        assert {row["billTypeId"] for row in rows} == {medicare}

    async def test_lists_all_payers_on_request(self, world: World, nurse: Person) -> None:
        path = f"{PAYERS}/remote-operations/{find_bill_type_id(world, 'MEDICARE')}"
        answer = await world.http.get(
            path, headers=nurse.headers, params={"allPayers": "true", "take": 100}
        )
        names = {row["name"] for row in answer.json()["data"]}
        assert {"AETNA", "MEDICAID OF ILLINOIS", "MEDICARE PART A"} <= names
        answer = await world.http.get(path, headers=nurse.headers, params={"allPayers": "false"})
        own_names = {row["name"] for row in answer.json()["data"]}
        assert "MEDICARE PART A" in own_names
        assert not {"AETNA", "MEDICAID OF ILLINOIS"} & own_names

    async def test_searches_by_words(self, world: World, nurse: Person) -> None:
        path = f"{PAYERS}/remote-operations/{find_bill_type_id(world, 'COMMERCIAL')}"
        answer = await world.http.get(path, headers=nurse.headers, params={"search": "shield"})
        assert [row["name"] for row in answer.json()["data"]] == [
            "BLUE CROSS BLUE SHIELD OF ILLINOIS"
        ]

    @pytest.mark.parametrize("query", [{"allPayers": "perhaps"}, {"payer": "1"}])
    async def test_rejects_invalid_parameters(
        self, world: World, nurse: Person, parse_problem, query: dict[str, str]
    ) -> None:
        answer = await world.http.get(
            f"{PAYERS}/remote-operations/1", headers=nurse.headers, params=query
        )
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["field"] == next(iter(query))


class TestBestMatch:
    """GET /v2/billing-information/payers/best-match."""

    async def match(self, world: World, nurse: Person, name: str):
        """Find the best match of a name."""
        answer = await world.http.get(
            f"{PAYERS}/best-match", headers=nurse.headers, params={"name": name}
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def test_finds_the_payer_with_its_bill_type(self, world: World, nurse: Person) -> None:
        payer = await self.match(world, nurse, "Blue Cross/Blue Shield of Illinois")
        assert payer == {
            "id": world.run_sql("SELECT id FROM payers WHERE name LIKE %s", ("BLUE CROSS%",)),
            "name": "BLUE CROSS BLUE SHIELD OF ILLINOIS",
            "billTypeId": find_bill_type_id(world, "COMMERCIAL"),
            "billType": "COMMERCIAL",
        }

    async def test_expands_abbreviations(self, world: World, nurse: Person) -> None:
        assert (await self.match(world, nurse, "uhc"))["name"] == "UNITED HEALTHCARE"

    @pytest.mark.parametrize(
        "name", ["", "XYZZY MUTUAL", "\x00", "'; DROP TABLE payers;--", "😀", "X" * 10_000]
    )
    async def test_is_null_for_unrelated_names(
        self, world: World, nurse: Person, name: str
    ) -> None:
        assert await self.match(world, nurse, name) is None
