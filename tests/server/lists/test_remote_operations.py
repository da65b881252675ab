"""The remote-operations protocol: paging, sorting, filtering, counting and rejecting."""

import base64
import json

import pytest

from app.contract import messages
from app.server.lists import statement
from app.server.lists.parsing import format_cursor, parse_query
from app.server.requisitions.lists import requisitions
from tests.server.world import Person, World

LIST = "/api/v2/requisitions/remote-operations"


@pytest.fixture
async def nurse(world: World) -> Person:
    """A nurse with seven requisitions on seven days, of patients A to G."""
    client = world.create_client()
    person = await world.create_person("Client Basic", client_ids=[client, world.create_client()])
    person.client = client
    person.ids = []
    for i, letter in enumerate("CAGBFED"):
        patient = world.create_patient(
            client, last_name=f"{letter}{letter}LAST", first_name="100%_OK"
        )
        saved = await world.save_requisition(
            person, patient, collectionDate=f"2026-03-0{i + 1}T08:0{i}:00", fasting=i % 3
        )
        person.ids.append(saved["id"])
    return person


async def fetch_page(world: World, person: Person, **query):
    """Fetch one page."""
    return await world.http.get(LIST, headers=person.headers, params=query)


async def fetch_ids(world: World, person: Person, **query) -> list[int]:
    """Fetch the ids of one page."""
    answer = await fetch_page(world, person, **query)
    assert answer.status_code == 200, answer.text
    return [row["id"] for row in answer.json()["data"]]


async def fetch_ids_by_cursor(world: World, person: Person, **query) -> list[int]:
    """Fetch the ids of all pages of two rows, following the cursor."""
    seen: list[int] = []
    after: dict[str, str] = {}
    for _ in range(10):
        body = (await fetch_page(world, person, take=2, **query, **after)).json()
        seen += [row["id"] for row in body["data"]]
        if body["next"] is None:
            break
        after = {"after": body["next"]}
    return seen


def forge_cursor(sort: str, values: str) -> str:
    """Forge a cursor for this sort with these values, given as JSON."""
    empty_cursor = format_cursor(parse_query(requisitions, [("sort", sort)]).sort, [])
    text = base64.urlsafe_b64decode(empty_cursor + "==").decode()
    return base64.urlsafe_b64encode(text.replace("[]", values).encode()).decode()


class TestPaging:
    """skip, take, after, totalCount."""

    async def test_shows_the_newest_first_by_default(self, world: World, nurse: Person) -> None:
        assert await fetch_ids(world, nurse) == nurse.ids[::-1]

    async def test_returns_the_rows_that_skip_and_take_select(
        self, world: World, nurse: Person
    ) -> None:
        answer = (await fetch_page(world, nurse, skip=2, take=3)).json()
        assert [r["id"] for r in answer["data"]] == nurse.ids[::-1][2:5]
        assert answer["totalCount"] == 7
        assert answer["totalIsCapped"] is False

    @pytest.mark.parametrize("sort", ["-id", "id", "collectionDate", "-patientLastName", "status"])
    async def test_following_the_cursor_shows_every_row_once(
        self, world: World, nurse: Person, sort: str
    ) -> None:
        seen = await fetch_ids_by_cursor(world, nurse, sort=sort)
        assert seen == await fetch_ids(world, nurse, sort=sort)
        assert len(set(seen)) == 7

    @pytest.mark.parametrize("sort", ["-id", "patientLastName"])
    async def test_a_full_last_page_has_no_next_page(
        self, world: World, nurse: Person, sort: str
    ) -> None:
        body = (await fetch_page(world, nurse, sort=sort, take=7)).json()
        assert len(body["data"]) == 7 and body["next"] is None
        first = (await fetch_page(world, nurse, sort=sort, take=3)).json()
        last = (await fetch_page(world, nurse, sort=sort, take=4, after=first["next"])).json()
        assert len(last["data"]) == 4 and last["next"] is None
        assert (await fetch_page(world, nurse, sort=sort, skip=3, take=4)).json()["next"] is None

    async def test_a_page_past_the_end_is_empty_but_counts(
        self, world: World, nurse: Person
    ) -> None:
        body = (await fetch_page(world, nurse, skip=100)).json()
        assert body["data"] == [] and body["totalCount"] == 7 and body["next"] is None

    async def test_caps_the_count(self, world: World, owner_url: str) -> None:
        client = world.create_client()
        patient = world.create_patient(client)
        nurse = await world.create_person("Client Basic", client_ids=[client])
        world.run_sql(
            "INSERT INTO requisitions (code, client_id, patient_id, patient_last_name,"
            " patient_first_name, patient_birth_date, patient_gender, status, collection_date,"
            " fasting, priority, bill_to) SELECT 'B' || %s || '-' || n, %s, %s, 'A', 'B',"
            " '1990-01-01', 'MALE', 1, '2026-01-01', 0, 'ROUTINE', 0"
            " FROM generate_series(1, 10050) n",
            (client, client, patient),
        )
        body = (await fetch_page(world, nurse)).json()
        assert body["totalCount"] == 10_001 and body["totalIsCapped"] is True
        answer = await fetch_page(world, nurse, sort="patientLastName")
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["message"] == messages.SORT_TOO_MANY_ROWS.format(
            max="10,000", name="patientLastName"
        )


class TestFiltering:
    """Screen filters and the filter row."""

    async def test_dates_are_inclusive_in_both_formats(self, world: World, nurse: Person) -> None:
        assert await fetch_ids(world, nurse, startDate="2026-03-02", endDate="03/04/2026") == [
            nurse.ids[3],
            nurse.ids[2],
            nurse.ids[1],
        ]

    async def test_filters_by_client_unit_and_patient(self, world: World) -> None:
        """Each client has a patient in its unit and one in none."""
        clients = [world.create_client(with_unit=True) for _ in range(2)]
        person = await world.create_person("Client Basic", client_ids=clients)
        filters: dict[int, dict[str, int]] = {}
        for client in clients:
            unit = world.run_sql("SELECT id FROM units WHERE client_id = %s", (client,))
            for place in ({"unit_id": unit}, {}):
                patient = world.create_patient(client, **place)
                saved = await world.save_requisition(person, patient)
                filters[saved["id"]] = {"client": client, "patient": patient}
                filters[saved["id"]] |= {"unit": unit} if place else {}
        for name in ("client", "unit", "patient"):
            for value in {ids[name] for ids in filters.values() if name in ids}:
                expected = [row for row, ids in filters.items() if ids.get(name) == value]
                assert await fetch_ids(world, person, **{name: value}) == expected[::-1], name

    async def test_status_is_a_mask(self, world: World, nurse: Person) -> None:
        await world.http.post(
            f"/api/v2/requisitions/{nurse.ids[0]}/cancel",
            headers=nurse.headers,
            json={"comment": "x"},
        )
        assert await fetch_ids(world, nurse, status="2") == [nurse.ids[0]]
        assert len(await fetch_ids(world, nurse, status="3")) == 7
        assert len(await fetch_ids(world, nurse, status="7")) == 7

    async def test_three_letters_match_anywhere_and_fewer_match_prefixes(
        self, world: World, nurse: Person
    ) -> None:
        assert await fetch_ids(world, nurse, **{"column.patientLastName": "clas"}) == [nurse.ids[0]]
        assert await fetch_ids(world, nurse, **{"column.patientLastName": "c"}) == [nurse.ids[0]]
        assert await fetch_ids(world, nurse, **{"column.patientLastName": "la"}) == []

    async def test_pattern_characters_match_literally(self, world: World, nurse: Person) -> None:
        assert len(await fetch_ids(world, nurse, **{"column.patientFirstName": "0%_o"})) == 7
        assert await fetch_ids(world, nurse, **{"column.patientFirstName": "1__%"}) == []

    async def test_a_date_column_matches_that_day(self, world: World, nurse: Person) -> None:
        assert await fetch_ids(world, nurse, **{"column.collectionDate": "03/05/2026"}) == [
            nurse.ids[4]
        ]

    async def test_null_and_empty_values_filter_nothing(self, world: World, nurse: Person) -> None:
        assert len(await fetch_ids(world, nurse, client="null", unit="", signature="all")) == 7

    @pytest.mark.parametrize("column", ["unit", "code", "patientLastName", "room"])
    async def test_invisible_characters_filter_nothing(
        self, world: World, nurse: Person, column: str
    ) -> None:
        technician = await world.create_person("Superuser")
        unseen = {f"column.{column}": "\u200b", "client": nurse.client}
        for person in (nurse, technician):
            assert await fetch_ids(world, person, **unseen) == nurse.ids[::-1]

    async def test_filters_by_signature(self, world: World, nurse: Person) -> None:
        assert await fetch_ids(world, nurse, signature="signed") == []
        assert len(await fetch_ids(world, nurse, signature="notSigned")) == 7


class TestTextAcrossClients:
    """Text searches across all clients.

    Few hits are sorted. With many hits, a walk along an index collects the page. Both give the same
    page.
    """

    @pytest.fixture(params=["few", "many"])
    def counted(self, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
        """The total that the list reports for seven rows, with and without a cap below seven."""
        if request.param == "many":
            monkeypatch.setattr(statement, "TOTAL_COUNT_CAP", 5)
        statement.build_statement.cache_clear()
        yield 5 if request.param == "many" else 7
        statement.build_statement.cache_clear()

    @pytest.mark.parametrize("sort", ["-id", "id", "-collectionDate", "collectionDate,-code"])
    @pytest.mark.parametrize("first", ["", "2026-03-01", "2020-03-01"])
    async def test_pages_contain_every_match_in_order(
        self, world: World, nurse: Person, counted: int, sort: str, first: str
    ) -> None:
        technician = await world.create_person("Superuser")
        unit = f"UNIT {nurse.client}."
        world.run_sql(
            "UPDATE requisitions SET unit_name = %s WHERE client_id = %s", (unit, nurse.client)
        )
        letters = {"column.patientFirstName": "0%_o", "column.unit": unit, "sort": sort}
        if first:
            letters |= {"startDate": first, "endDate": "2026-03-31"}
        in_order = nurse.ids[::-1] if sort.startswith("-") else nurse.ids
        assert await fetch_ids(world, technician, **letters) == in_order
        assert await fetch_ids(world, technician, **letters, skip=3, take=2) == in_order[3:5]
        assert await fetch_ids_by_cursor(world, technician, **letters) == in_order
        body = (await fetch_page(world, technician, **letters)).json()
        assert (body["totalCount"], body["totalIsCapped"]) == (counted, counted == 5)

    @pytest.mark.parametrize("sort", ["-id", "id", "-code"])
    @pytest.mark.parametrize("names", [("a", "10"), ("aal", "100"), ("AALAST", "%_o")])
    @pytest.mark.parametrize("last", ["2026-03-31", "2029-03-31"])
    async def test_searches_both_names_by_any_letters(
        self,
        world: World,
        nurse: Person,
        counted: int,
        names: tuple[str, str],
        sort: str,
        last: str,
    ) -> None:
        technician = await world.create_person("Laboratory")
        world.run_sql(
            "UPDATE requisitions SET patient_last_name = 'AALAST' WHERE client_id = %s",
            (nurse.client,),
        )
        query = {
            "column.patientLastName": names[0],
            "column.patientFirstName": names[1],
            "column.clientId": nurse.client,
            "startDate": "2026-03-02",
            "endDate": last,
            "sort": sort,
        }
        in_order = nurse.ids[1:] if sort == "id" else nurse.ids[1:][::-1]
        assert await fetch_ids(world, technician, **query) == in_order
        assert await fetch_ids(world, technician, **query, skip=1, take=3) == in_order[1:4]
        assert await fetch_ids_by_cursor(world, technician, **query) == in_order
        assert (await fetch_page(world, technician, **query)).json()["totalCount"] == min(
            counted, 6
        )

    @pytest.mark.parametrize("frequent_hits", [0, 1_000])
    @pytest.mark.parametrize("column", ["unit", "room", "bed", "code"])
    @pytest.mark.parametrize("last_day", [None, "2026-03-31", "2029-03-31"])
    async def test_searches_other_columns(
        self,
        world: World,
        nurse: Person,
        counted: int,
        column: str,
        last_day: str | None,
        frequent_hits: int,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """The letters count as frequent in the whole table, or as rare."""
        monkeypatch.setattr(statement, "_FREQUENT_HITS", frequent_hits)
        technician = await world.create_person("Superuser")
        text = f"Q%_{nurse.client}"
        world.run_sql(
            "UPDATE requisitions SET unit_name = %s, room_name = %s, bed = %s, code = code || %s"
            " WHERE client_id = %s",
            (text, f"{text}Z", f"A{text}", text, nurse.client),
        )
        letters = {f"column.{column}": text.lower()}
        beginnings = {"column.unit": "q%", "column.bed": "aq", "column.code": text}
        dates = {"startDate": "2026-03-02", "endDate": last_day} if last_day else {}
        in_order = nurse.ids[1:][::-1] if last_day else nurse.ids[::-1]
        for query in (letters | dates, beginnings | dates):
            assert await fetch_ids(world, technician, **query) == in_order
            assert await fetch_ids(world, technician, **query, skip=1, take=3) == in_order[1:4]
            assert await fetch_ids_by_cursor(world, technician, **query) == in_order
            count = (await fetch_page(world, technician, **query)).json()["totalCount"]
            assert count == min(counted, len(in_order))

    @pytest.mark.parametrize("walk_rows_max", [2, 20_000])
    async def test_rows_of_a_later_year_do_not_hide_others(
        self,
        world: World,
        nurse: Person,
        counted: int,
        walk_rows_max: int,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """The walk along the ids starts at the latest id within the days."""
        technician = await world.create_person("Superuser")
        world.run_sql(
            "UPDATE requisitions SET collection_date = '2029-01-01' WHERE id = ANY(%s)",
            (nurse.ids[4:6],),
        )
        monkeypatch.setattr(statement, "_WALK_ROWS_MAX", walk_rows_max)
        query = {
            "column.patientFirstName": "0%_o",
            "column.clientId": nurse.client,
            "startDate": "2026-03-01",
            "endDate": "2026-03-31",
        }
        assert await fetch_ids(world, technician, **query) == [
            nurse.ids[i] for i in (6, 3, 2, 1, 0)
        ]
        assert await fetch_ids(world, technician, **query, take=2) == [nurse.ids[i] for i in (6, 3)]
        assert await fetch_ids_by_cursor(world, technician, **query) == [
            nurse.ids[i] for i in (6, 3, 2, 1, 0)
        ]

    async def test_sorts_few_hits_in_any_order(self, world: World, nurse: Person) -> None:
        technician = await world.create_person("Superuser")
        letters = {"column.patientLastName": "last", "client": nurse.client}
        by_name = [nurse.ids["CAGBFED".index(letter)] for letter in "ABCDEFG"]
        assert await fetch_ids(world, technician, **letters, sort="patientLastName") == by_name
        assert (
            await fetch_ids_by_cursor(world, technician, **letters, sort="patientLastName")
            == by_name
        )


class TestDaysAcrossClients:
    """Date filters across all clients: the page is merged from its days."""

    @pytest.fixture
    def long_ago(self, world: World, nurse: Person) -> Person:
        """The nurse, with her requisitions moved to a separate year, in reverse order."""
        nurse.year = 1100 + nurse.client % 800
        world.run_sql(
            "UPDATE requisitions SET collection_date ="
            " make_timestamp(%s, 3, 8, 23, 59, 59) - (id - %s) * interval '1 day',"
            " status = CASE WHEN id %% 2 = 0 THEN 1 ELSE 4 END"
            " WHERE client_id = %s",
            (nurse.year, nurse.ids[0], nurse.client),
        )
        return nurse

    @pytest.mark.parametrize("sort", ["-id", "id", "-collectionDate", "code"])
    @pytest.mark.parametrize("last", ["03-08", "12-31"])
    async def test_pages_contain_every_row_in_order(
        self, world: World, long_ago: Person, sort: str, last: str
    ) -> None:
        technician = await world.create_person("Superuser")
        days = {
            "startDate": f"{long_ago.year}-01-01",
            "endDate": f"{long_ago.year}-{last}",
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
        self, world: World, nurse: Person, parse_problem
    ) -> None:
        answer = await fetch_page(world, nurse, startDate="2026-03-05", endDate="2026-03-02")
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"] == [
            {"field": "endDate", "message": messages.END_DATE_BEFORE_START}
        ]


class TestRejecting:
    """Unknown and malformed parameters."""

    @pytest.mark.parametrize("name", ["startDate", "column.collectionDate"])
    @pytest.mark.parametrize("text", ["9999-12-31T99", "2026-W01-1", "2026-01-01x"])
    async def test_names_the_field_of_an_invalid_day(
        self, world: World, nurse: Person, parse_problem, name: str, text: str
    ) -> None:
        answer = await fetch_page(world, nurse, **{name: text})
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"] == [
            {"field": name, "message": messages.PARAMETER_INVALID.format(name=name)}
        ]

    @pytest.mark.parametrize(
        "query",
        [
            {"color": "red"},
            {"column.nothing": "x"},
            {"column.version": "1"},
            {"sort": "nothing"},
            {"sort": "room"},
            {"take": "0"},
            {"take": "101"},
            {"take": "x"},
            {"skip": "-1"},
            {"startDate": "soon"},
            {"startDate": "13/45/2026"},
            {"client": "x"},
            {"client": "99999999999999999999"},
            {"status": "8"},
            {"signature": "maybe"},
            {"after": "!!!"},
            {"after": base64.urlsafe_b64encode(json.dumps(["x", [1]]).encode()).decode()},
            {"column.id": "1; DROP TABLE requisitions"},
        ],
    )
    async def test_names_the_parameter(
        self, world: World, parse_problem, query: dict[str, str]
    ) -> None:
        person = await world.create_person("Superuser")
        answer = await fetch_page(world, person, **query)
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["field"] == next(iter(query))


class TestForgedCursors:
    """Forged cursors."""

    @pytest.mark.parametrize("value", ['"\\ud800"', '"\\u0000"', "{}", "[1]", "true"])
    async def test_rejects_values_that_no_row_has(
        self, world: World, parse_problem, value: str
    ) -> None:
        person = await world.create_person("Superuser")
        answer = await fetch_page(
            world, person, sort="code", after=forge_cursor("code", f"[{value}, 1]")
        )
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["field"] == "after"

    @pytest.mark.parametrize("value", ["NaN", "1e999", "9" * 400, '"x"', "null", "-0.5"])
    @pytest.mark.parametrize("sort", ["id", "code", "collectionDate"])
    async def test_survives_values_of_another_type(
        self, world: World, sort: str, value: str
    ) -> None:
        person = await world.create_person("Superuser")
        values = f"[{value}]" if sort == "id" else f"[{value}, {value}]"
        answer = await fetch_page(world, person, sort=sort, after=forge_cursor(sort, values))
        assert answer.status_code in (200, 400)

    async def test_rejects_deep_nesting(self, world: World, parse_problem) -> None:
        person = await world.create_person("Superuser")
        answer = await fetch_page(
            world, person, sort="code", after=forge_cursor("code", "[" * 30_000)
        )
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["field"] == "after"


class TestAudit:
    """The audit of reads, which is part of the same statement."""

    async def test_records_the_rows_shown(self, world: World, nurse: Person) -> None:
        await fetch_ids(world, nurse, take=2)
        (record_ids,) = world.fetch_rows(
            "SELECT record_ids FROM audit_events WHERE user_id = %s AND action = 'list'"
            " ORDER BY id DESC LIMIT 1",
            (nurse.user_id,),
        )[0]
        assert sorted(record_ids) == sorted(nurse.ids[::-1][:2])
