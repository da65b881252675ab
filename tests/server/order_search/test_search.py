"""The advanced search over HTTP: every column with every operator, and what it finds."""

from typing import Any

import psycopg
import pytest

from app.contract import messages
from app.contract.enumerations import Role
from app.server.order_search.columns import COLUMNS, DEFAULT_COLUMNS, get_columns
from app.server.order_search.service import search
from tests.rules.test_order_search import RULES, build_rule, nest
from tests.server.order_search.records import (
    EVERYBODY,
    OUTSIDE,
    PATH,
    Clinic,
    build_clinic,
    compare,
    join,
)
from tests.server.world import World

ROLES = {
    "superuser": Role.SUPERUSER,
    "lab": Role.LABORATORY,
    "admin": Role.CLIENT_ADMIN,
    "nurse": Role.CLIENT_BASIC,
    "doctor": Role.PHYSICIAN,
}
SHOWN = [column.name for column in COLUMNS if column.shown]
SORTED = [column.name for column in COLUMNS if column.shown and column.shown.sort != "no"]


@pytest.fixture
async def clinic(world: World) -> Clinic:
    """A clinic without orders."""
    return await build_clinic(world)


@pytest.fixture(scope="session")
async def shared(owner: Any, http: Any, portal_app: Any, password_hash: str) -> Clinic:
    """A clinic with three orders, one of which lacks whatever an order can be without."""
    world = World(owner, http, portal_app.state.portal.tokens, password_hash)
    clinic = await build_clinic(world)
    full = await clinic.add_order(
        "GLU",
        "K",
        unit_name="EAST",
        room_name="101",
        bed="A",
        patient_middle_name="ANN",
        reported_at="2026-03-06",
        acknowledged_at="2026-03-07",
        acknowledged_by_name="Ada Tester",
        status=16,
        has_critical=True,
        collection_sites=["ARM"],
    )
    clinic.add_result(full, "GLU", "250", flag="H")
    clinic.add_result(full, "K", "POS", flag="POS")
    await clinic.add_order("CBC")
    await clinic.add_order("UCUL", has_abnormal=True)
    return clinic


class TestEveryCondition:
    """Each operator of each column runs, and divides the orders."""

    @pytest.mark.parametrize("person", ["lab", "nurse", "doctor"])
    @pytest.mark.parametrize("rule", RULES, ids=lambda r: f"{r['field']} {r['operator']}")
    async def test_an_order_meets_it_or_its_opposite(
        self, shared: Clinic, rule: dict[str, Any], person: str
    ) -> None:
        if rule["field"] not in get_columns(ROLES[person]):
            answer = await shared.post(person, join(rule))
            assert answer.status_code == 400
            return
        meets = await shared.find(person, rule)
        not_meets = await shared.find(person, join(rule, **{"not": True}))
        either = await shared.find(person, join(rule, join(rule, **{"not": True}), by="or"))
        assert meets | not_meets == either == set(shared.orders)
        assert not meets & not_meets
        # At the top of the tree, indexes and days take part.
        assert (await shared.post(person, join(rule))).status_code == 200

    @pytest.mark.parametrize("person", ["lab", "nurse", "doctor"])
    async def test_negative_operators_are_opposites(self, shared: Clinic, person: str) -> None:
        pairs = {"=": "!=", "contains": "doesNotContain", "in": "notIn", "null": "notNull"}
        for column in get_columns(ROLES[person]).values():
            # Another result than this one is not the same as no such result.
            if column.needs_test:
                continue
            for positive, negative in pairs.items():
                if positive in column.operators and negative in column.operators:
                    rule = build_rule(column, positive)
                    meets = await shared.find(person, rule)
                    others = await shared.find(person, {**rule, "operator": negative})
                    assert meets | others == set(shared.orders), (column.name, positive)
                    assert not meets & others, (column.name, positive)

    @pytest.mark.parametrize("person", ["lab", "nurse", "doctor"])
    @pytest.mark.parametrize("name", SHOWN)
    async def test_shows_every_column(self, shared: Clinic, name: str, person: str) -> None:
        answer = await shared.post(person, None, columns=[name])
        if name in get_columns(ROLES[person]):
            assert answer.status_code == 200, answer.text
            assert set(answer.json()["data"][0]) == {"id", "version", name}
        else:
            assert answer.status_code == 400
            assert answer.json()["errors"][0]["field"] == "columns.0"

    @pytest.mark.parametrize("descending", ["", "-"])
    @pytest.mark.parametrize("name", SORTED)
    async def test_sorts_by_every_column_that_can(
        self, shared: Clinic, name: str, descending: str
    ) -> None:
        for columns in ([], [name]):
            sort = f"{descending}{name}"
            # Of one client, since an unbounded number of rows cannot be sorted.
            query = join(compare("client", "in", [shared.client]))
            answer = await shared.post("lab", query, columns=columns, sort=sort, take=2)
            assert answer.status_code == 200, answer.text
            page = answer.json()
            rest = await shared.post(
                "lab", query, columns=columns, sort=sort, take=2, after=page["next"]
            )
            rows = page["data"] + rest.json()["data"]
            assert sorted(row["id"] for row in rows) == sorted(shared.orders)


class TestFinding:
    """Conditions find what they say."""

    async def test_finds_by_order_patient_and_place(self, shared: Clinic) -> None:
        full, panel, culture = shared.orders
        (last_name, code) = shared.world.fetch_rows(
            "SELECT o.patient_last_name, p.code FROM orders o"
            " JOIN patients p ON p.id = o.patient_id WHERE o.id = %s",
            (panel,),
        )[0]
        expected: list[tuple[dict[str, Any], set[int]]] = [
            (compare("status", "in", ["FINAL"]), {full}),
            (compare("status", "in", ["PENDING"]), {panel, culture}),
            (compare("lastName", "=", last_name.lower()), {panel}),
            (compare("lastName", "beginsWith", last_name[:5]), {full, panel, culture}),
            (compare("patientCode", "=", code), {panel}),
            (compare("middleName", "null"), {panel, culture}),
            (compare("room", "beginsWith", "10"), {full}),
            (compare("age", "between", [56, 56]), {full, panel, culture}),
            (compare("age", ">", 56), set()),
            (compare("physician", "in", [shared.physician]), {full, panel, culture}),
            (compare("physician", "notIn", [shared.physician]), set()),
            (compare("collectionDate", "=", "2026-03-04"), {full, panel, culture}),
            (compare("collectionDate", "<", "2026-03-04"), set()),
            (compare("reportedDate", "notNull"), {full}),
            (compare("acknowledgedBy", "contains", "ada"), {full}),
            (compare("acknowledged", "=", False), {panel, culture}),
            (compare("collectionSite", "=", "arm"), {full}),
            (compare("hasCritical", "=", True), {full}),
            (compare("hasAbnormal", "=", True), {culture}),
        ]
        for person in ("lab", "nurse", "doctor"):
            for rule, ids in expected:
                assert await shared.find(person, rule) == ids, (person, rule)

    async def test_finds_tests_in_panels_only_when_asked(self, shared: Clinic) -> None:
        full, panel, _ = shared.orders
        tests = {code: shared.world.get_test_id(code) for code in ("GLU", "CBC", "HGB")}
        for person in ("lab", "nurse", "doctor"):
            for field, code, ids in (
                ("orderedTest", "GLU", {full}),
                ("orderedTest", "HGB", set()),
                ("test", "HGB", {panel}),
                ("test", "CBC", {panel}),
            ):
                rule = compare(field, "in", [tests[code]])
                assert await shared.find(person, rule) == ids, (person, field, code)
            found_by_name = await shared.find(
                person, compare("orderedTestName", "contains", "gluc")
            )
            assert found_by_name == {full}

    async def test_joins_by_and_or_and_not(self, shared: Clinic) -> None:
        full, panel, culture = shared.orders
        final, abnormal = compare("status", "in", ["FINAL"]), compare("hasAbnormal", "=", True)
        assert await shared.find("nurse", final, abnormal) == set()
        assert await shared.find("nurse", join(final, abnormal, by="or")) == {full, culture}
        neither = join(final, abnormal, by="or", **{"not": True})
        assert await shared.find("nurse", neither) == {panel}
        both = join(final, abnormal, **{"not": True})
        assert await shared.find("nurse", both) == {full, panel, culture}

    async def test_days_at_both_ends_are_included(self, shared: Clinic) -> None:
        for person in ("lab", "nurse"):
            for days, is_found in (
                ([compare("collectionDate", "between", ["2026-03-04", "2026-03-04"])], True),
                (
                    [
                        compare("collectionDate", ">", "2026-03-03"),
                        compare("collectionDate", "<", "2026-03-05"),
                    ],
                    True,
                ),
                ([compare("collectionDate", "between", ["2026-03-05", "2026-12-31"])], False),
                (
                    [
                        compare("collectionDate", ">=", "2026-03-05"),
                        compare("collectionDate", "<=", "2026-03-03"),
                    ],
                    False,
                ),
                (
                    [
                        compare("collectionDate", ">", "9999-12-31"),
                        compare("collectionDate", "<", "0001-01-01"),
                    ],
                    False,
                ),
            ):
                ids = await shared.find(person, *days)
                assert ids == (set(shared.orders) if is_found else set()), days


class TestResults:
    """Test, operator, and value are one condition, on released results alone."""

    def compare_glucose(self, clinic: Clinic, operator: str, value: Any) -> dict[str, Any]:
        """Compare the glucose as a number."""
        test = clinic.world.get_test_id("GLU")
        return compare("resultNumber", operator, value, test=test)

    async def test_the_value_belongs_to_the_test(self, clinic: Clinic) -> None:
        order = await clinic.add_order("GLU", "K")
        clinic.add_result(order, "GLU", "90")
        clinic.add_result(order, "K", "4.1", flag="N")
        potassium = clinic.world.get_test_id("K")
        for person in EVERYBODY:
            assert await clinic.find(person, self.compare_glucose(clinic, "=", 90)) == {order}
            assert await clinic.find(person, self.compare_glucose(clinic, "=", 4.1)) == set()
            rule = compare("resultNumber", "between", [4, 5], test=potassium)
            assert await clinic.find(person, rule) == {order}
            rule = compare("resultFlag", "in", ["N"], test=potassium)
            assert await clinic.find(person, rule) == {order}
            rule = compare("resultText", "=", "4.1", test=potassium)
            assert await clinic.find(person, rule) == {order}

    async def test_a_negative_operator_needs_a_result(self, clinic: Clinic) -> None:
        with_result, _without = await clinic.add_order("GLU"), await clinic.add_order("GLU")
        clinic.add_result(with_result, "GLU", "90")
        assert await clinic.find("nurse", self.compare_glucose(clinic, "!=", 91)) == {with_result}
        rule = compare("resultAbnormal", "=", False, test=clinic.world.get_test_id("GLU"))
        assert await clinic.find("nurse", rule) == {with_result}

    @pytest.mark.parametrize(
        ("value", "operator", "number", "is_met"),
        [
            ("<5", "<", 5, True),
            ("<5", "<", 4.9, False),
            ("<5", "<=", 5, True),
            ("<5", ">", 1, False),
            ("<5", "=", 5, False),
            ("<5", "between", [0, 10], False),
            ("<=5", "<", 5, False),
            ("<=5", "<=", 5, True),
            (">200", ">", 200, True),
            (">200", ">", 201, False),
            (">200", ">=", 150, True),
            (">200", "<", 500, False),
            (">=200", ">", 200, False),
            (">=200", ">=", 200, True),
            ("7", "=", "7.00", True),
            ("7", "!=", 7, False),
            ("POS", "!=", 7, False),
        ],
    )
    async def test_a_signed_value_matches_if_all_that_it_can_mean_does(
        self, clinic: Clinic, value: str, operator: str, number: Any, is_met: bool
    ) -> None:
        order = await clinic.add_order("GLU")
        clinic.add_result(order, "GLU", value)
        rule = self.compare_glucose(clinic, operator, number)
        assert await clinic.find("nurse", rule) == ({order} if is_met else set())

    async def test_sees_the_newest_released_version(self, clinic: Clinic) -> None:
        order = await clinic.add_order("GLU")
        clinic.add_result(order, "GLU", "90")
        corrected = compare("resultCorrected", "=", True, test=clinic.world.get_test_id("GLU"))
        assert await clinic.find("nurse", corrected) == set()
        clinic.add_result(order, "GLU", "190", flag="HH")
        for person in EVERYBODY:
            assert await clinic.find(person, self.compare_glucose(clinic, "=", 90)) == set()
            assert await clinic.find(person, self.compare_glucose(clinic, "=", 190)) == {order}
            assert await clinic.find(person, corrected) == {order}
            critical = {**corrected, "field": "resultCritical"}
            assert await clinic.find(person, critical) == {order}

    @pytest.mark.parametrize("hidden", ["entered", "correcting", "withheld", "marked", "canceled"])
    async def test_hidden_results_answer_as_if_there_were_none(
        self, clinic: Clinic, hidden: str
    ) -> None:
        order, empty = await clinic.add_order("GLU"), await clinic.add_order("GLU")
        row = clinic.find_row(order, "GLU")
        values: dict[str, Any] = {"flag": "HH"}
        if hidden == "correcting":
            clinic.add_result(order, "GLU", "90", flag="N")
            clinic.add_result(empty, "GLU", "90", flag="N")
        if hidden in ("entered", "correcting"):
            values["released_at"] = None
        if hidden == "withheld":
            values["withheld"] = "review"
        clinic.add_result(order, "GLU", "777", **values)
        if hidden == "marked":
            clinic.world.run_sql(
                "UPDATE order_tests SET withheld = 'withdrawn' WHERE id = %s", (row,)
            )
        if hidden == "canceled":
            clinic.world.run_sql("UPDATE order_tests SET status = 32 WHERE id = %s", (row,))
        for person in EVERYBODY:
            for column in get_columns(ROLES[person]).values():
                if not column.needs_test:
                    continue
                for operator in column.operators:
                    rule = build_rule(column, operator)
                    rule["test"] = clinic.world.get_test_id("GLU")
                    rule["value"] = {
                        "resultText": "777",
                        "resultFlag": ["HH"],
                        "resultAbnormal": True,
                        "resultCritical": True,
                        "resultCorrected": True,
                        "resultNumber": [777, 777] if operator == "between" else 777,
                    }[column.name]
                    for query in (rule, join(rule, **{"not": True})):
                        ids = await clinic.find(person, query)
                        assert ids in (set(), {order, empty}), (person, query)

    async def test_finds_organisms_of_released_cultures(self, clinic: Clinic) -> None:
        released, entered = await clinic.add_order("UCUL"), await clinic.add_order("UCUL")
        for order, released_at in ((released, "2026-03-06"), (entered, None)):
            culture = clinic.world.run_sql(
                "INSERT INTO cultures (order_id, order_test_id, revision, entered_at, released_at)"
                " VALUES (%s, %s, 1, '2026-03-05', %s) RETURNING id",
                (order, clinic.find_row(order, "UCUL"), released_at),
            )
            clinic.world.run_sql(
                "INSERT INTO culture_organisms (culture_id, position, code, group_code, name,"
                " is_flora, is_interim) VALUES (%s, 0, 'ECO', 'GNB', 'Escherichia coli', false,"
                " false)",
                (culture,),
            )
        for person in EVERYBODY:
            ids = await clinic.find(person, compare("organism", "contains", "e"))
            assert ids == {released}
            assert await clinic.find(person, compare("organism", "null")) == {entered}

    async def test_finds_drugs_that_nobody_reported(self, clinic: Clinic) -> None:
        order = await clinic.add_order("UBENZ")
        for revision, kind in ((1, "unexpectedPositive"), (2, "consistent")):
            clinic.world.run_sql(
                "INSERT INTO toxicology_assessments (order_id, revision, medications, verdicts,"
                " released_at) VALUES (%s, %s, '{}', jsonb_build_array(jsonb_build_object("
                "'kind', %s::text, 'name', 'Fentanyl')), '2026-03-06')",
                (order, revision, kind),
            )
            for person in EVERYBODY:
                ids = await clinic.find(person, compare("unexpectedDrug", "=", "fentanyl"))
                assert ids == ({order} if revision == 1 else set())


class TestScope:
    """Everybody finds their own orders alone."""

    async def test_foreign_orders_are_not_there(self, shared: Clinic, clinic: Clinic) -> None:
        foreign = await clinic.add_order("GLU")
        rule = compare("code", "=", clinic.get_code(foreign))
        for person in OUTSIDE:
            for query in (join(rule), join(rule, by="or"), join(rule, **{"not": True}), None):
                page = (await shared.post(person, query, columns=[], take=100)).json()
                ids = {row["id"] for row in page["data"]}
                assert ids <= set(shared.orders), (person, query)
                assert page["totalCount"] == len(ids)
        nowhere = await shared.post("nurse", join(compare("code", "=", "L999999999")), columns=[])
        elsewhere = await shared.post("nurse", join(rule), columns=[])
        assert elsewhere.content == nowhere.content

    async def test_patients_have_no_advanced_search(self, world: World) -> None:
        patient = world.create_patient(world.create_client())
        person = await world.create_person("Patient", patient_ids=[patient])
        answer = await world.http.post(PATH, headers=person.headers, json={})
        assert answer.status_code == 403

    async def test_notes_who_saw_which_orders(self, clinic: Clinic) -> None:
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
            rule = compare("patientCode", "=", code)
            assert await clinic.find(person, rule) == {order}, person


class TestRequests:
    """What is sent: by POST and GET, well and badly."""

    async def test_get_and_post_answer_alike(self, shared: Clinic) -> None:
        query = join(compare("client", "in", [shared.client]))
        posted = await shared.post("nurse", query, columns=["code", "status"], take=2, sort="code")
        got = await shared.world.http.get(
            PATH,
            headers=shared.people["nurse"].headers,
            params={
                "query": str(query).replace("'", '"'),
                "columns": ["code", "status"],
                "take": 2,
                "sort": "code",
            },
        )
        assert posted.status_code == 200
        assert got.json() == posted.json()
        assert posted.json()["totalCount"] == 3

    async def test_shows_the_usual_columns_in_descending_order(self, shared: Clinic) -> None:
        page = (await shared.post("nurse", None)).json()
        assert [row["id"] for row in page["data"]] == sorted(shared.orders, reverse=True)
        assert set(page["data"][0]) == {"id", "version", *DEFAULT_COLUMNS}

    async def test_lists_the_columns_of_the_role(self, shared: Clinic) -> None:
        for person, role in ROLES.items():
            answer = await shared.world.http.get(
                f"{PATH}/columns", headers=shared.people[person].headers
            )
            assert {column["name"] for column in answer.json()} == set(get_columns(role))

    @pytest.mark.parametrize(
        "letters", ["'; DROP TABLE orders; --", "%", "_", "\\", "%(ids)s", '"', "{condition}", "$1"]
    )
    async def test_letters_are_never_sql(self, shared: Clinic, letters: str) -> None:
        for person in ("lab", "nurse"):
            for field in ("lastName", "code", "orderedTestName", "diagnosis", "signedBy"):
                for operator in ("contains", "beginsWith", "="):
                    rule = compare(field, operator, f"{letters}{letters}{letters}")
                    answer = await shared.post(person, join(rule), columns=[])
                    assert answer.status_code == 200, answer.text
                    assert answer.json()["totalCount"] == 0

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"query": join(compare("salary", "=", 1))}, "query.rules.0.field"),
            ({"query": join(compare("code", "~", "A"))}, "query.rules.0.operator"),
            ({"query": nest(50)}, "query" + ".rules.0" * 5),
            ({"query": join(*[RULES[0]] * 5_000)}, "query"),
            ({"query": "code = 1"}, "query"),
            ({"columns": ["salary"]}, "columns.0"),
            ({"columns": ["resultNumber"]}, "columns.0"),
            ({"sort": "salary"}, "sort"),
            ({"sort": "bed"}, "sort"),
            ({"after": "x"}, "after"),
        ],
    )
    async def test_rejects_what_is_not_there(
        self, shared: Clinic, body: dict[str, Any], field: str
    ) -> None:
        answer = await shared.world.http.post(PATH, headers=shared.people["lab"].headers, json=body)
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
            ("status", "1"),
        ],
    )
    async def test_rejects_bad_parameters(self, shared: Clinic, name: str, value: str) -> None:
        answer = await shared.world.http.get(
            PATH, headers=shared.people["lab"].headers, params={name: value}
        )
        assert answer.status_code == 400, answer.text
        assert [error["field"] for error in answer.json()["errors"]] == [name]

    async def test_a_slow_search_is_stopped_and_says_what_to_do(
        self, shared: Clinic, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(search, "SEARCH_SECONDS_MAX", 0.05)
        query = join(compare("organism", "contains", "coli"))
        with psycopg.connect(shared.world.owner_url) as connection:
            # While somebody holds this lock, the search cannot end.
            connection.execute("LOCK TABLE culture_organisms IN ACCESS EXCLUSIVE MODE")
            answer = await shared.post("lab", query)
        assert answer.status_code == 400
        problem = answer.json()
        assert (problem["code"], problem["detail"]) == (
            "search_too_broad",
            messages.SEARCH_TOO_BROAD,
        )
        assert (await shared.post("lab", query)).status_code == 200
