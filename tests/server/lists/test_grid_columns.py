"""The filter row and the sorting of each column of the grids of O 2.2 and R 2.1."""

from dataclasses import dataclass

import pytest

from app.server.lists import statement
from tests.server.accounts.builders import Person
from tests.server.world import World

RECORDS = ["requisitions", "orders"]
NAMES = {
    "requisitions": {"client": "clientName", "tests": "tests", "room": "roomAndBed"},
    "orders": {"client": "client", "tests": "testNames", "room": "roomAndBed"},
}
"""Names of the same column in both lists."""


@dataclass
class Grid:
    """A grid of three rows, each of a different client, as the lab and a nurse see it."""

    world: World
    records: str
    people: dict[str, Person]
    mark: str
    ids: list[int]
    """The requisitions or orders of the clients ALDER, BIRCH, and CEDAR."""

    async def fetch(self, who: str, **query: object) -> list[int]:
        """Return the position in ``ids`` of each row of the page."""
        names = NAMES[self.records]
        params: dict[str, str | list[int]] = {
            f"column.{names.get(k, k)}": str(v) for k, v in query.items() if k != "sort"
        }
        if sort := str(query.get("sort", "")):
            sign = "-" if sort.startswith("-") else ""
            params["sort"] = sign + names.get(sort.lstrip("-"), sort.lstrip("-"))
        clients = self.world.fetch_rows(
            "SELECT id FROM clients WHERE name LIKE %s", (f"%{self.mark}",)
        )
        answer = await self.world.http.get(
            f"/api/v2/{self.records}/remote-operations",
            headers=self.people[who].headers,
            params={"client": [row[0] for row in clients], **params},
        )
        assert answer.status_code == 200, answer.text
        body = answer.json()
        assert body["totalCount"] == len(body["data"])
        return [self.ids.index(row["id"]) for row in body["data"]]


@pytest.fixture(params=RECORDS)
async def grid(world: World, request: pytest.FixtureRequest) -> Grid:
    """The grid of requisitions, or of the orders made from them."""
    client_ids = [world.create_client() for _ in range(3)]
    mark = f" OF {client_ids[0]}"
    for client_id, name in zip(client_ids, ("ALDER", "BIRCH", "CEDAR"), strict=True):
        world.run_sql("UPDATE clients SET name = %s WHERE id = %s", (name + mark, client_id))
    nurse = await world.create_person("Client Basic", client_ids=client_ids)
    lab = await world.create_person("Laboratory")
    places = [("101", "A"), ("11", None), (None, None)]
    tests = [("K", "GLU"), ("CBC",), ("HGB", "COVID")]
    ids = []
    for client_id, (room_name, bed), codes in zip(client_ids, places, tests, strict=True):
        room = room_name and world.run_sql(
            "INSERT INTO rooms (client_id, name) VALUES (%s, %s) RETURNING id",
            (client_id, room_name),
        )
        patient = world.create_patient(client_id, room_id=room, bed=bed)
        requisition = await world.save_requisition(nurse, patient, *codes)
        ids.append(requisition["id"])
    if request.param == "orders":
        receive_answer = await world.http.post(
            "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": ids}
        )
        ids = [row["orderId"] for row in receive_answer.json()]
    return Grid(world, request.param, {"nurse": nurse, "lab": lab}, mark, ids)


BOTH = ("nurse", "lab")
FILTERS: dict[str, dict[str, list[int]]] = {
    "client": {"birch": [1], "ced": [2], "r of": [2, 0], "al": [0], "ir": [], "no such": []},
    "tests": {
        "glu": [0],
        "glucose": [0],
        "gl": [0],
        "lu": [],
        "k": [0],
        "co": [2, 1],
        "cbc": [1],
        "blood": [1],
        "hemoglobin": [2],
        "no such": [],
    },
    "room": {
        "101 - a": [0],
        "1 - ": [0],
        "101": [0],
        "10": [0],
        "1": [1, 0],
        "11": [1],
        "a": [],
    },
}
"""Texts typed above a column, and the rows that they match, newest first."""


class TestFilters:
    """Three or more letters match anywhere, fewer only at the start of the text."""

    @pytest.mark.parametrize("frequent_hits", [0, statement._SAMPLE_ROWS + 1])
    async def test_each_column_filters(
        self, grid: Grid, frequent_hits: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The letters count as frequent in the whole table, or as rare."""
        monkeypatch.setattr(statement, "_FREQUENT_HITS", frequent_hits)
        statement.build_statement.cache_clear()
        for who in BOTH:
            for column, cases in FILTERS.items():
                for text, rows in cases.items():
                    assert await grid.fetch(who, **{column: text}) == rows, (who, column, text)
        statement.build_statement.cache_clear()

    async def test_several_columns_filter_together(self, grid: Grid) -> None:
        for who in BOTH:
            assert await grid.fetch(who, tests="cbc", client="birch") == [1]
            assert await grid.fetch(who, tests="cbc", client="alder") == []
            assert await grid.fetch(who, tests="glucose", room="101 - a") == [0]


async def test_sorts_by_each_column(grid: Grid) -> None:
    sorted_rows = {"client": [0, 1, 2], "tests": [1, 2, 0], "room": [2, 0, 1], "status": [0, 1, 2]}
    for who in BOTH:
        for column, rows in sorted_rows.items():
            assert await grid.fetch(who, sort=column) == rows, (who, column)
            assert await grid.fetch(who, sort=f"-{column}") == rows[::-1], (who, column)


async def test_filters_and_sorts_requisitions_by_signature_and_status(
    world: World, nurse: Person
) -> None:
    ids = [
        (await world.save_requisition(nurse, world.create_patient(nurse.client)))["id"]
        for _ in range(3)
    ]
    world.run_sql("UPDATE requisitions SET has_signature = true WHERE id = %s", (ids[1],))
    world.run_sql("UPDATE requisitions SET status = 2 WHERE id = %s", (ids[2],))

    async def fetch(query: str) -> list[int]:
        answer = await world.http.get(
            f"/api/v2/requisitions/remote-operations?{query}", headers=nurse.headers
        )
        return [row["id"] for row in answer.json()["data"]]

    assert await fetch("column.hasSignature=true") == [ids[1]]
    assert await fetch("column.hasSignature=false") == [ids[2], ids[0]]
    assert await fetch("column.status=2") == [ids[2]]
    assert await fetch("sort=-hasSignature") == [ids[1], ids[2], ids[0]]


async def test_follows_a_change_to_the_tests(world: World, nurse: Person) -> None:
    requisition = await world.save_requisition(nurse, world.create_patient(nurse.client), "GLU")
    path = f"/api/v2/requisitions/{requisition['id']}"
    change_answer = await world.http.post(
        path, headers=nurse.headers, json={"tests": [{"test": {"id": world.get_test_id("K")}}]}
    )
    assert change_answer.status_code == 200, change_answer.text
    await world.http.post(path, headers=nurse.headers, json={"comments": "Unchanged tests"})
    for text, count in (("glu", 0), ("pot", 1)):
        answer = await world.http.get(
            f"/api/v2/requisitions/remote-operations?column.tests={text}", headers=nurse.headers
        )
        assert answer.json()["totalCount"] == count
    [row] = answer.json()["data"]
    assert row["testCodes"] == ["K"]
