"""The remote-operations protocol: paging, sorting, filtering, counting and rejecting."""

import base64
import json

import pytest

from app.contract import messages
from app.server.lists.parsing import format_cursor, parse_cursor, parse_query
from app.server.requisitions.lists import requisitions
from tests.server.accounts.builders import Person
from tests.server.lists.pages import fetch_ids, fetch_ids_by_cursor, fetch_page
from tests.server.world import World


def forge_cursor(sort: str, values: str) -> str:
    """Forge a cursor for this sort with these values, given as JSON."""
    empty_cursor = format_cursor(parse_query(requisitions, [("sort", sort)]).sort, "[]")
    text = base64.urlsafe_b64decode(empty_cursor + "==").decode()
    return base64.urlsafe_b64encode(text.replace("[]", values).encode()).decode()


def test_a_cursor_keeps_letters_of_any_script() -> None:
    sort = parse_query(requisitions, [("sort", "patientLastName")]).sort
    assert parse_cursor(format_cursor(sort, '["ŻÓŁĆ \\"王\\"", 7]'), sort) == ['ŻÓŁĆ "王"', 7]


class TestPaging:
    """skip, take, after, totalCount."""

    async def test_shows_the_newest_first_by_default(
        self, world: World, busy_nurse: Person
    ) -> None:
        assert await fetch_ids(world, busy_nurse) == busy_nurse.ids[::-1]

    async def test_returns_the_rows_that_skip_and_take_select(
        self, world: World, busy_nurse: Person
    ) -> None:
        answer = (await fetch_page(world, busy_nurse, skip=2, take=3)).json()
        assert [r["id"] for r in answer["data"]] == busy_nurse.ids[::-1][2:5]
        assert answer["totalCount"] == 7
        assert answer["totalIsCapped"] is False

    @pytest.mark.parametrize("sort", ["-id", "id", "collectionDate", "-patientLastName", "status"])
    async def test_following_the_cursor_shows_every_row_once(
        self, world: World, busy_nurse: Person, sort: str
    ) -> None:
        ids = await fetch_ids_by_cursor(world, busy_nurse, sort=sort)
        assert ids == await fetch_ids(world, busy_nurse, sort=sort)
        assert len(set(ids)) == 7

    @pytest.mark.parametrize("sort", ["-id", "patientLastName"])
    async def test_a_full_last_page_has_no_next_page(
        self, world: World, busy_nurse: Person, sort: str
    ) -> None:
        body = (await fetch_page(world, busy_nurse, sort=sort, take=7)).json()
        assert len(body["data"]) == 7 and body["next"] is None
        first = (await fetch_page(world, busy_nurse, sort=sort, take=3)).json()
        last = (await fetch_page(world, busy_nurse, sort=sort, take=4, after=first["next"])).json()
        assert len(last["data"]) == 4 and last["next"] is None
        assert (await fetch_page(world, busy_nurse, sort=sort, skip=3, take=4)).json()[
            "next"
        ] is None

    async def test_a_page_past_the_end_is_empty_and_has_the_total(
        self, world: World, busy_nurse: Person
    ) -> None:
        body = (await fetch_page(world, busy_nurse, skip=100)).json()
        assert body["data"] == [] and body["totalCount"] == 7 and body["next"] is None

    async def test_caps_the_count(self, world: World) -> None:
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

    async def test_dates_are_inclusive_in_both_formats(
        self, world: World, busy_nurse: Person
    ) -> None:
        assert await fetch_ids(world, busy_nurse, startDate="2026-03-02", endDate="03/04/2026") == [
            busy_nurse.ids[3],
            busy_nurse.ids[2],
            busy_nurse.ids[1],
        ]

    async def test_filters_by_client_unit_and_patient(self, world: World) -> None:
        """Each client has a patient in its unit and one without a unit."""
        clients = [world.create_client(with_unit=True) for _ in range(2)]
        person = await world.create_person("Client Basic", client_ids=clients)
        filters: dict[int, dict[str, int]] = {}
        for client in clients:
            unit = world.run_sql("SELECT id FROM units WHERE client_id = %s", (client,))
            for place in ({"unit_id": unit}, {}):
                patient = world.create_patient(client, **place)
                requisition = await world.save_requisition(person, patient)
                filters[requisition["id"]] = {"client": client, "patient": patient}
                filters[requisition["id"]] |= {"unit": unit} if place else {}
        for name in ("client", "unit", "patient"):
            for value in {ids[name] for ids in filters.values() if name in ids}:
                expected = [row for row, ids in filters.items() if ids.get(name) == value]
                assert await fetch_ids(world, person, **{name: value}) == expected[::-1], name

    async def test_status_is_a_mask(self, world: World, busy_nurse: Person) -> None:
        await world.http.post(
            f"/api/v2/requisitions/{busy_nurse.ids[0]}/cancel",
            headers=busy_nurse.headers,
            json={"comment": "x"},
        )
        assert await fetch_ids(world, busy_nurse, status="2") == [busy_nurse.ids[0]]
        assert len(await fetch_ids(world, busy_nurse, status="3")) == 7
        assert len(await fetch_ids(world, busy_nurse, status="7")) == 7

    async def test_three_letters_match_anywhere_and_fewer_match_prefixes(
        self, world: World, busy_nurse: Person
    ) -> None:
        assert await fetch_ids(world, busy_nurse, **{"column.patientLastName": "clas"}) == [
            busy_nurse.ids[0]
        ]
        assert await fetch_ids(world, busy_nurse, **{"column.patientLastName": "c"}) == [
            busy_nurse.ids[0]
        ]
        assert await fetch_ids(world, busy_nurse, **{"column.patientLastName": "la"}) == []

    async def test_pattern_characters_match_literally(
        self, world: World, busy_nurse: Person
    ) -> None:
        assert len(await fetch_ids(world, busy_nurse, **{"column.patientFirstName": "0%_o"})) == 7
        assert await fetch_ids(world, busy_nurse, **{"column.patientFirstName": "1__%"}) == []

    async def test_a_date_column_matches_that_day(self, world: World, busy_nurse: Person) -> None:
        assert await fetch_ids(world, busy_nurse, **{"column.collectionDate": "03/05/2026"}) == [
            busy_nurse.ids[4]
        ]

    async def test_null_and_empty_values_filter_nothing(
        self, world: World, busy_nurse: Person
    ) -> None:
        assert len(await fetch_ids(world, busy_nurse, client="null", unit="", signature="all")) == 7

    @pytest.mark.parametrize("column", ["unit", "code", "patientLastName", "room"])
    async def test_invisible_characters_filter_nothing(
        self, world: World, busy_nurse: Person, column: str
    ) -> None:
        technician = await world.create_person("Superuser")
        unseen_filters = {f"column.{column}": "\u200b", "client": busy_nurse.client}
        for person in (busy_nurse, technician):
            assert await fetch_ids(world, person, **unseen_filters) == busy_nurse.ids[::-1]

    async def test_filters_by_signature(self, world: World, busy_nurse: Person) -> None:
        assert await fetch_ids(world, busy_nurse, signature="signed") == []
        assert len(await fetch_ids(world, busy_nurse, signature="notSigned")) == 7


class TestRejecting:
    """Unknown and malformed parameters."""

    @pytest.mark.parametrize("name", ["startDate", "column.collectionDate"])
    @pytest.mark.parametrize("text", ["9999-12-31T99", "2026-W01-1", "2026-01-01x"])
    async def test_names_the_field_of_an_invalid_day(
        self, world: World, busy_nurse: Person, parse_problem, name: str, text: str
    ) -> None:
        answer = await fetch_page(world, busy_nurse, **{name: text})
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

    async def test_records_the_rows_shown(self, world: World, busy_nurse: Person) -> None:
        await fetch_ids(world, busy_nurse, take=2)
        (record_ids,) = world.fetch_rows(
            "SELECT record_ids FROM audit_events WHERE user_id = %s AND action = 'list'"
            " ORDER BY id DESC LIMIT 1",
            (busy_nurse.user_id,),
        )[0]
        assert sorted(record_ids) == sorted(busy_nurse.ids[::-1][:2])
