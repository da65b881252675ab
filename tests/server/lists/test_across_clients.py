"""The remote-operations protocol across all clients, where many rows match."""

import pytest

from app.contract import messages
from app.server.lists import statement
from tests.server.accounts.builders import Person
from tests.server.lists.pages import fetch_ids, fetch_ids_by_cursor, fetch_page
from tests.server.world import World


class TestTextAcrossClients:
    """Text searches across all clients.

    Few hits are sorted. With many hits, a walk along an index collects the page. Both give the same
    page.
    """

    @pytest.fixture(params=["few", "many"])
    def expected_total(self, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
        """The total that the list reports for seven rows, with and without a cap below seven."""
        if request.param == "many":
            monkeypatch.setattr(statement, "TOTAL_COUNT_CAP", 5)
        statement.build_statement.cache_clear()
        yield 5 if request.param == "many" else 7
        statement.build_statement.cache_clear()

    @pytest.mark.parametrize("sort", ["-id", "id", "-collectionDate", "collectionDate,-code"])
    @pytest.mark.parametrize("first_day", ["", "2026-03-01", "2020-03-01"])
    async def test_pages_contain_every_match_in_order(
        self, world: World, busy_nurse: Person, expected_total: int, sort: str, first_day: str
    ) -> None:
        technician = await world.create_person("Superuser")
        unit = f"UNIT {busy_nurse.client}."
        world.run_sql(
            "UPDATE requisitions SET unit_name = %s WHERE client_id = %s", (unit, busy_nurse.client)
        )
        letters = {"column.patientFirstName": "0%_o", "column.unit": unit, "sort": sort}
        if first_day:
            letters |= {"startDate": first_day, "endDate": "2026-03-31"}
        in_order = busy_nurse.ids[::-1] if sort.startswith("-") else busy_nurse.ids
        assert await fetch_ids(world, technician, **letters) == in_order
        assert await fetch_ids(world, technician, **letters, skip=3, take=2) == in_order[3:5]
        assert await fetch_ids_by_cursor(world, technician, **letters) == in_order
        body = (await fetch_page(world, technician, **letters)).json()
        assert (body["totalCount"], body["totalIsCapped"]) == (expected_total, expected_total == 5)

    @pytest.mark.parametrize("sort", ["-id", "id", "-code"])
    @pytest.mark.parametrize("names", [("a", "10"), ("aal", "100"), ("AALAST", "%_o")])
    @pytest.mark.parametrize("last_day", ["2026-03-31", "2029-03-31"])
    async def test_searches_both_names_by_any_letters(
        self,
        world: World,
        busy_nurse: Person,
        expected_total: int,
        names: tuple[str, str],
        sort: str,
        last_day: str,
    ) -> None:
        technician = await world.create_person("Laboratory")
        world.run_sql(
            "UPDATE requisitions SET patient_last_name = 'AALAST' WHERE client_id = %s",
            (busy_nurse.client,),
        )
        query = {
            "column.patientLastName": names[0],
            "column.patientFirstName": names[1],
            "column.clientId": busy_nurse.client,
            "startDate": "2026-03-02",
            "endDate": last_day,
            "sort": sort,
        }
        in_order = busy_nurse.ids[1:] if sort == "id" else busy_nurse.ids[1:][::-1]
        assert await fetch_ids(world, technician, **query) == in_order
        assert await fetch_ids(world, technician, **query, skip=1, take=3) == in_order[1:4]
        assert await fetch_ids_by_cursor(world, technician, **query) == in_order
        assert (await fetch_page(world, technician, **query)).json()["totalCount"] == min(
            expected_total, 6
        )

    @pytest.mark.parametrize("frequent_hits", [0, 1_000])
    @pytest.mark.parametrize("column", ["unit", "room", "bed", "code"])
    @pytest.mark.parametrize("last_day", [None, "2026-03-31", "2029-03-31"])
    async def test_searches_other_columns(
        self,
        world: World,
        busy_nurse: Person,
        expected_total: int,
        column: str,
        last_day: str | None,
        frequent_hits: int,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """The list takes the letters for frequent in the whole table (0), or for rare (1,000)."""
        monkeypatch.setattr(statement, "_FREQUENT_HITS", frequent_hits)
        technician = await world.create_person("Superuser")
        text = f"Q%_{busy_nurse.client}"
        world.run_sql(
            "UPDATE requisitions SET unit_name = %s, room_name = %s, bed = %s, code = code || %s"
            " WHERE client_id = %s",
            (text, f"{text}Z", f"A{text}", text, busy_nurse.client),
        )
        letters = {f"column.{column}": text.lower()}
        beginnings = {"column.unit": "q%", "column.bed": "aq", "column.code": text}
        dates = {"startDate": "2026-03-02", "endDate": last_day} if last_day else {}
        in_order = busy_nurse.ids[1:][::-1] if last_day else busy_nurse.ids[::-1]
        for query in (letters | dates, beginnings | dates):
            assert await fetch_ids(world, technician, **query) == in_order
            assert await fetch_ids(world, technician, **query, skip=1, take=3) == in_order[1:4]
            assert await fetch_ids_by_cursor(world, technician, **query) == in_order
            count = (await fetch_page(world, technician, **query)).json()["totalCount"]
            assert count == min(expected_total, len(in_order))

    @pytest.mark.parametrize("walk_rows_max", [2, 20_000])
    async def test_rows_of_a_later_year_do_not_hide_others(
        self,
        world: World,
        busy_nurse: Person,
        expected_total: int,
        walk_rows_max: int,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """The walk along the ids starts at the latest id within the days."""
        technician = await world.create_person("Superuser")
        world.run_sql(
            "UPDATE requisitions SET collection_date = '2029-01-01' WHERE id = ANY(%s)",
            (busy_nurse.ids[4:6],),
        )
        monkeypatch.setattr(statement, "_WALK_ROWS_MAX", walk_rows_max)
        query = {
            "column.patientFirstName": "0%_o",
            "column.clientId": busy_nurse.client,
            "startDate": "2026-03-01",
            "endDate": "2026-03-31",
        }
        assert await fetch_ids(world, technician, **query) == [
            busy_nurse.ids[i] for i in (6, 3, 2, 1, 0)
        ]
        assert await fetch_ids(world, technician, **query, take=2) == [
            busy_nurse.ids[i] for i in (6, 3)
        ]
        assert await fetch_ids_by_cursor(world, technician, **query) == [
            busy_nurse.ids[i] for i in (6, 3, 2, 1, 0)
        ]

    async def test_sorts_few_hits_in_any_order(self, world: World, busy_nurse: Person) -> None:
        technician = await world.create_person("Superuser")
        letters = {"column.patientLastName": "last", "client": busy_nurse.client}
        by_name = [busy_nurse.ids["CAGBFED".index(letter)] for letter in "ABCDEFG"]
        assert await fetch_ids(world, technician, **letters, sort="patientLastName") == by_name
        assert (
            await fetch_ids_by_cursor(world, technician, **letters, sort="patientLastName")
            == by_name
        )


class TestDaysAcrossClients:
    """Date filters across all clients: the page is merged from its days."""

    @pytest.fixture
    def long_ago(self, world: World, busy_nurse: Person) -> Person:
        """The nurse, with her requisitions moved to a separate year, in reverse order."""
        busy_nurse.year = 1100 + busy_nurse.client % 800
        world.run_sql(
            "UPDATE requisitions SET collection_date ="
            " make_timestamp(%s, 3, 8, 23, 59, 59) - (id - %s) * interval '1 day',"
            " status = CASE WHEN id %% 2 = 0 THEN 1 ELSE 4 END"
            " WHERE client_id = %s",
            (busy_nurse.year, busy_nurse.ids[0], busy_nurse.client),
        )
        return busy_nurse

    @pytest.mark.parametrize("sort", ["-id", "id", "-collectionDate", "code"])
    @pytest.mark.parametrize("last_day", ["03-08", "12-31"])
    async def test_pages_contain_every_row_in_order(
        self, world: World, long_ago: Person, sort: str, last_day: str
    ) -> None:
        technician = await world.create_person("Superuser")
        days = {
            "startDate": f"{long_ago.year}-01-01",
            "endDate": f"{long_ago.year}-{last_day}",
            "sort": sort,
        }
        in_order = long_ago.ids[::-1] if sort == "-id" else long_ago.ids
        assert await fetch_ids(world, technician, **days) == in_order
        assert await fetch_ids(world, technician, **days, skip=3, take=2) == in_order[3:5]
        assert await fetch_ids_by_cursor(world, technician, **days) == in_order
        assert (await fetch_page(world, technician, **days)).json()["totalCount"] == 7

    async def test_both_days_are_inclusive(self, world: World, long_ago: Person) -> None:
        technician = await world.create_person("Superuser")
        days = {"startDate": f"{long_ago.year}-03-03", "endDate": f"{long_ago.year}-03-05"}
        assert await fetch_ids(world, technician, **days) == long_ago.ids[3:6][::-1]

    async def test_filters_by_status_and_signature(self, world: World, long_ago: Person) -> None:
        technician = await world.create_person("Superuser")
        days = {"startDate": f"{long_ago.year}-03-01", "endDate": f"{long_ago.year}-03-31"}
        query = {**days, "signature": "notSigned", "status": "1"}
        pending = [i for i in long_ago.ids[::-1] if i % 2 == 0]
        assert await fetch_ids(world, technician, **query) == pending
        assert await fetch_ids_by_cursor(world, technician, **query) == pending

    async def test_rejects_a_reversed_period(
        self, world: World, busy_nurse: Person, parse_problem
    ) -> None:
        answer = await fetch_page(world, busy_nurse, startDate="2026-03-05", endDate="2026-03-02")
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"] == [
            {"field": "endDate", "message": messages.END_DATE_BEFORE_START}
        ]
