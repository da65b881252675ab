"""Whose orders the advanced search finds, and which requests it answers."""

import json
from typing import Any

import psycopg
import pytest

from app.contract import messages
from app.server.order_search.columns import DEFAULT_COLUMNS, get_columns
from app.server.order_search.service import search
from tests.rules.test_order_search import RULES, nest_groups
from tests.server.order_search.records import (
    EVERYBODY,
    OUTSIDE_LAB,
    PATH,
    ROLES,
    Clinic,
    build_condition,
    join_conditions,
)
from tests.server.world import World


class TestScope:
    """Everybody finds only their own orders."""

    async def test_foreign_orders_look_nonexistent(
        self, shared_clinic: Clinic, clinic: Clinic
    ) -> None:
        foreign_order = await clinic.add_order("GLU")
        rule = build_condition("code", "=", clinic.get_code(foreign_order))
        for person in OUTSIDE_LAB:
            for query in (
                join_conditions(rule),
                join_conditions(rule, by="or"),
                join_conditions(rule, **{"not": True}),
                None,
            ):
                page = (await shared_clinic.post(person, query, columns=[], take=100)).json()
                ids = {row["id"] for row in page["data"]}
                assert ids <= set(shared_clinic.orders), (person, query)
                assert page["totalCount"] == len(ids)
        nonexistent_answer = await shared_clinic.post(
            "nurse", join_conditions(build_condition("code", "=", "L999999999")), columns=[]
        )
        foreign_answer = await shared_clinic.post("nurse", join_conditions(rule), columns=[])
        assert foreign_answer.content == nonexistent_answer.content

    async def test_patients_have_no_advanced_search(self, world: World) -> None:
        patient = world.create_patient(world.create_client())
        person = await world.create_person("Patient", patient_ids=[patient])
        answer = await world.http.post(PATH, headers=person.headers, json={})
        assert answer.status_code == 403

    async def test_audits_who_saw_which_orders(self, clinic: Clinic) -> None:
        order = await clinic.add_order("GLU")
        assert await clinic.find("doctor") == {order}
        rows = clinic.world.fetch_rows(
            "SELECT action, kind, record_ids FROM audit_events WHERE user_id = %s ORDER BY id DESC",
            (clinic.people["doctor"].user_id,),
        )
        assert rows[0] == ("list", "order-search", [order])

    async def test_a_patient_who_moved_is_found_by_code(self, clinic: Clinic) -> None:
        order = await clinic.add_order("GLU")
        code = clinic.world.run_sql(
            "SELECT p.code FROM patients p JOIN orders o ON o.patient_id = p.id WHERE o.id = %s",
            (order,),
        )
        clinic.world.run_sql(
            "UPDATE patients SET client_id = %s, primary_physician_id = NULL WHERE code = %s",
            (clinic.world.create_client(), code),
        )
        for person in EVERYBODY:
            rule = build_condition("patientCode", "=", code)
            assert await clinic.find(person, rule) == {order}, person


class TestRequests:
    """Requests by POST and GET, valid and invalid."""

    async def test_get_and_post_answer_alike(self, shared_clinic: Clinic) -> None:
        query = join_conditions(build_condition("client", "in", [shared_clinic.client]))
        post_answer = await shared_clinic.post(
            "nurse", query, columns=["code", "status"], take=2, sort="code"
        )
        get_answer = await shared_clinic.world.http.get(
            PATH,
            headers=shared_clinic.people["nurse"].headers,
            params={
                "query": str(query).replace("'", '"'),
                "columns": ["code", "status"],
                "take": 2,
                "sort": "code",
            },
        )
        assert post_answer.status_code == 200
        assert get_answer.json() == post_answer.json()
        assert post_answer.json()["totalCount"] == 3

    async def test_get_takes_the_filters_of_the_order_search(self, clinic: Clinic) -> None:
        early, late = [
            await clinic.add_order("GLU", collection_date=f"2026-03-{day:02}T10:00", **values)
            for day, values in ((5, {"bed": "A7"}), (9, {"bed": "B2", "status": 16}))
        ]

        async def find(person: str, **parameters: Any) -> set[int]:
            answer = await clinic.world.http.get(
                PATH,
                headers=clinic.people[person].headers,
                params={"clientIds": clinic.client, **parameters},
            )
            assert answer.status_code == 200, answer.text
            return {row["id"] for row in answer.json()["data"]}

        query = json.dumps(join_conditions(build_condition("collectionDate", "<=", "2026-03-08")))
        other_client = clinic.world.create_client()
        for person in EVERYBODY:
            assert await find(person) == {early, late}
            assert await find(person, startDate="2026-03-06") == {late}
            assert await find(person, endDate="2026-03-05") == {early}
            assert await find(person, startDate="03/05/2026", endDate="03/09/2026") == {early, late}
            assert await find(person, startDate="2026-03-05", query=query) == {early}
            assert await find(person, startDate="2026-03-06", query=query) == set()
            assert await find(person, status=16) == {late}
            assert await find(person, client=[clinic.client, other_client]) == {early, late}
            assert await find(person, client=other_client) == set()
            assert await find(person, physicianIds=clinic.physician + 1_000_000) == set()
            # A column of the filter row need not be shown.
            parameters = {"columns": ["code"], "column.bed": "a"}
            assert await find(person, **parameters) == {early}

    async def test_shows_the_default_columns_newest_first(self, shared_clinic: Clinic) -> None:
        page = (await shared_clinic.post("nurse", None)).json()
        assert [row["id"] for row in page["data"]] == sorted(shared_clinic.orders, reverse=True)
        assert set(page["data"][0]) == {"id", "version", *DEFAULT_COLUMNS}

    async def test_lists_the_columns_of_the_role(self, shared_clinic: Clinic) -> None:
        for person, role in ROLES.items():
            answer = await shared_clinic.world.http.get(
                f"{PATH}/columns", headers=shared_clinic.people[person].headers
            )
            assert {column["name"] for column in answer.json()} == set(get_columns(role))

    @pytest.mark.parametrize(
        "letters", ["'; DROP TABLE orders; --", "%", "_", "\\", "%(ids)s", '"', "{condition}", "$1"]
    )
    async def test_typed_text_is_never_sql(self, shared_clinic: Clinic, letters: str) -> None:
        for person in ("lab", "nurse"):
            for field in ("lastName", "code", "orderedTestName", "diagnosis", "signedBy"):
                for operator in ("contains", "beginsWith", "="):
                    rule = build_condition(field, operator, f"{letters}{letters}{letters}")
                    answer = await shared_clinic.post(person, join_conditions(rule), columns=[])
                    assert answer.status_code == 200, answer.text
                    assert answer.json()["totalCount"] == 0

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"query": join_conditions(build_condition("salary", "=", 1))}, "query.rules.0.field"),
            (
                {"query": join_conditions(build_condition("code", "~", "A"))},
                "query.rules.0.operator",
            ),
            ({"query": nest_groups(50)}, "query" + ".rules.0" * 5),
            ({"query": join_conditions(*[RULES[0]] * 5_000)}, "query"),
            ({"query": "code = 1"}, "query"),
            ({"columns": ["salary"]}, "columns.0"),
            ({"columns": ["resultNumber"]}, "columns.0"),
            ({"sort": "salary"}, "sort"),
            ({"sort": "bed"}, "sort"),
            ({"after": "x"}, "after"),
        ],
    )
    async def test_rejects_unknown_columns_and_operators(
        self, shared_clinic: Clinic, body: dict[str, Any], field: str
    ) -> None:
        answer = await shared_clinic.world.http.post(
            PATH, headers=shared_clinic.people["lab"].headers, json=body
        )
        assert answer.status_code == 400, answer.text
        assert [error["field"] for error in answer.json()["errors"]] == [field]

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("query", "{"),
            ("query", "[" * 10_000),
            ("query", "1"),
            ("take", "101"),
            ("skip", "-1"),
            ("salary", "1"),
            ("column.salary", "1"),
            ("startDate", "yesterday"),
            ("client", "all"),
        ],
    )
    async def test_rejects_bad_parameters(
        self, shared_clinic: Clinic, name: str, value: str
    ) -> None:
        answer = await shared_clinic.world.http.get(
            PATH, headers=shared_clinic.people["lab"].headers, params={name: value}
        )
        assert answer.status_code == 400, answer.text
        assert [error["field"] for error in answer.json()["errors"]] == [name]

    async def test_a_slow_search_is_stopped_and_says_what_to_do(
        self, shared_clinic: Clinic, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(search, "SEARCH_SECONDS_MAX", 0.05)
        query = join_conditions(build_condition("organism", "contains", "coli"))
        with psycopg.connect(shared_clinic.world.owner_url) as connection:
            # While somebody holds this lock, the search cannot end.
            connection.execute("LOCK TABLE culture_organisms IN ACCESS EXCLUSIVE MODE")
            answer = await shared_clinic.post("lab", query)
        assert answer.status_code == 400
        problem = answer.json()
        assert (problem["code"], problem["detail"]) == (
            "search_too_broad",
            messages.SEARCH_TOO_BROAD,
        )
        assert (await shared_clinic.post("lab", query)).status_code == 200
