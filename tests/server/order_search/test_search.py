"""The advanced search over HTTP: every column with every operator, and what it finds."""

from typing import Any

import pytest

from app.server.order_search.columns import COLUMNS, get_columns
from tests.rules.test_order_search import RULES, build_rule
from tests.server.order_search.records import (
    ROLES,
    Clinic,
    build_condition,
    join_conditions,
)

SHOWN_COLUMNS = [column.name for column in COLUMNS if column.shown_column]
SORTED_COLUMNS = [
    column.name for column in COLUMNS if column.shown_column and column.shown_column.sort != "no"
]


class TestEveryCondition:
    """Each operator of each column runs, and has an opposite."""

    @pytest.mark.parametrize("person", ["lab", "nurse", "doctor"])
    @pytest.mark.parametrize("rule", RULES, ids=lambda r: f"{r['field']} {r['operator']}")
    async def test_each_order_matches_a_condition_or_its_opposite(
        self, shared_clinic: Clinic, rule: dict[str, Any], person: str
    ) -> None:
        if rule["field"] not in get_columns(ROLES[person]):
            answer = await shared_clinic.post(person, join_conditions(rule))
            assert answer.status_code == 400
            return
        matching_ids = await shared_clinic.find(person, rule)
        opposite_ids = await shared_clinic.find(person, join_conditions(rule, **{"not": True}))
        either_ids = await shared_clinic.find(
            person, join_conditions(rule, join_conditions(rule, **{"not": True}), by="or")
        )
        assert matching_ids | opposite_ids == either_ids == set(shared_clinic.orders)
        assert not matching_ids & opposite_ids
        # A condition at the top of the tree narrows the search by an index or by days.
        assert (await shared_clinic.post(person, join_conditions(rule))).status_code == 200

    @pytest.mark.parametrize("person", ["lab", "nurse", "doctor"])
    async def test_negative_operators_are_opposites(
        self, shared_clinic: Clinic, person: str
    ) -> None:
        pairs = {"=": "!=", "contains": "doesNotContain", "in": "notIn", "null": "notNull"}
        for column in get_columns(ROLES[person]).values():
            # "Is not" needs a result, so an order without one matches neither.
            if column.needs_test or column.needs_antibiotic:
                continue
            for positive, negative in pairs.items():
                if positive in column.operators and negative in column.operators:
                    rule = build_rule(column, positive)
                    matching_ids = await shared_clinic.find(person, rule)
                    opposite_ids = await shared_clinic.find(person, {**rule, "operator": negative})
                    assert matching_ids | opposite_ids == set(shared_clinic.orders), (
                        column.name,
                        positive,
                    )
                    assert not matching_ids & opposite_ids, (column.name, positive)

    @pytest.mark.parametrize("person", ["lab", "nurse", "doctor"])
    @pytest.mark.parametrize("name", SHOWN_COLUMNS)
    async def test_shows_every_column(self, shared_clinic: Clinic, name: str, person: str) -> None:
        answer = await shared_clinic.post(person, None, columns=[name])
        if name in get_columns(ROLES[person]):
            assert answer.status_code == 200, answer.text
            assert set(answer.json()["data"][0]) == {"id", "version", name}
        else:
            assert answer.status_code == 400
            assert answer.json()["errors"][0]["field"] == "columns.0"

    @pytest.mark.parametrize("descending", ["", "-"])
    @pytest.mark.parametrize("name", SORTED_COLUMNS)
    async def test_sorts_by_every_sortable_column(
        self, shared_clinic: Clinic, name: str, descending: str
    ) -> None:
        for columns in ([], [name]):
            sort = f"{descending}{name}"
            # Search one client, because the portal does not sort an unlimited number of rows.
            query = join_conditions(build_condition("client", "in", [shared_clinic.client]))
            answer = await shared_clinic.post("lab", query, columns=columns, sort=sort, take=2)
            assert answer.status_code == 200, answer.text
            page = answer.json()
            rest_answer = await shared_clinic.post(
                "lab", query, columns=columns, sort=sort, take=2, after=page["next"]
            )
            rows = page["data"] + rest_answer.json()["data"]
            assert sorted(row["id"] for row in rows) == sorted(shared_clinic.orders)


class TestFinding:
    """Conditions find the matching orders."""

    async def test_finds_orders_by_order_patient_and_place(self, shared_clinic: Clinic) -> None:
        full, panel, culture = shared_clinic.orders
        (last_name, code) = shared_clinic.world.fetch_rows(
            "SELECT o.patient_last_name, p.code FROM orders o"
            " JOIN patients p ON p.id = o.patient_id WHERE o.id = %s",
            (panel,),
        )[0]
        expected: list[tuple[dict[str, Any], set[int]]] = [
            (build_condition("status", "in", ["FINAL"]), {full}),
            (build_condition("status", "in", ["PENDING"]), {panel, culture}),
            (build_condition("lastName", "=", last_name.lower()), {panel}),
            (build_condition("lastName", "beginsWith", last_name[:5]), {full, panel, culture}),
            (build_condition("patientCode", "=", code), {panel}),
            (build_condition("middleName", "null"), {panel, culture}),
            (build_condition("room", "beginsWith", "10"), {full}),
            (build_condition("age", "between", [56, 56]), {full, panel, culture}),
            (build_condition("age", ">", 56), set()),
            (build_condition("physician", "in", [shared_clinic.physician]), {full, panel, culture}),
            (build_condition("physician", "notIn", [shared_clinic.physician]), set()),
            (build_condition("collectionDate", "=", "2026-03-04"), {full, panel, culture}),
            (build_condition("collectionDate", "<", "2026-03-04"), set()),
            (build_condition("reportedDate", "notNull"), {full}),
            (build_condition("acknowledgedBy", "contains", "ada"), {full}),
            (build_condition("acknowledged", "=", False), {panel, culture}),
            (build_condition("collectionSite", "=", "arm"), {full}),
            (build_condition("hasCritical", "=", True), {full}),
            (build_condition("hasAbnormal", "=", True), {culture}),
        ]
        for person in ("lab", "nurse", "doctor"):
            for rule, ids in expected:
                assert await shared_clinic.find(person, rule) == ids, (person, rule)

    async def test_a_later_release_ends_an_acknowledgment(self, clinic: Clinic) -> None:
        read_order, corrected_order = [
            await clinic.add_order("GLU", acknowledged_at="2026-03-07", is_unread=is_unread)
            for is_unread in (False, True)
        ]
        for person in ("lab", "nurse", "doctor"):
            for is_acknowledged, order_id in ((True, read_order), (False, corrected_order)):
                rule = build_condition("acknowledged", "=", is_acknowledged)
                assert await clinic.find(person, rule) == {order_id}
            answer = await clinic.post(person, None, columns=["acknowledged"], take=100)
            shown = {row["id"]: row["acknowledged"] for row in answer.json()["data"]}
            assert (shown[read_order], shown[corrected_order]) == (True, False)

    async def test_finds_tests_in_panels_only_when_asked(self, shared_clinic: Clinic) -> None:
        full, panel, _ = shared_clinic.orders
        tests = {code: shared_clinic.world.get_test_id(code) for code in ("GLU", "CBC", "HGB")}
        for person in ("lab", "nurse", "doctor"):
            for field, code, ids in (
                ("orderedTest", "GLU", {full}),
                ("orderedTest", "HGB", set()),
                ("test", "HGB", {panel}),
                ("test", "CBC", {panel}),
            ):
                rule = build_condition(field, "in", [tests[code]])
                assert await shared_clinic.find(person, rule) == ids, (person, field, code)
            found_by_name = await shared_clinic.find(
                person, build_condition("orderedTestName", "contains", "gluc")
            )
            assert found_by_name == {full}

    async def test_combines_conditions_by_and_or_and_not(self, shared_clinic: Clinic) -> None:
        full, panel, culture = shared_clinic.orders
        final, abnormal = (
            build_condition("status", "in", ["FINAL"]),
            build_condition("hasAbnormal", "=", True),
        )
        assert await shared_clinic.find("nurse", final, abnormal) == set()
        assert await shared_clinic.find("nurse", join_conditions(final, abnormal, by="or")) == {
            full,
            culture,
        }
        neither = join_conditions(final, abnormal, by="or", **{"not": True})
        assert await shared_clinic.find("nurse", neither) == {panel}
        both = join_conditions(final, abnormal, **{"not": True})
        assert await shared_clinic.find("nurse", both) == {full, panel, culture}

    async def test_days_at_both_ends_are_included(self, shared_clinic: Clinic) -> None:
        for person in ("lab", "nurse"):
            for days, is_found in (
                (
                    [build_condition("collectionDate", "between", ["2026-03-04", "2026-03-04"])],
                    True,
                ),
                (
                    [
                        build_condition("collectionDate", ">", "2026-03-03"),
                        build_condition("collectionDate", "<", "2026-03-05"),
                    ],
                    True,
                ),
                (
                    [build_condition("collectionDate", "between", ["2026-03-05", "2026-12-31"])],
                    False,
                ),
                (
                    [
                        build_condition("collectionDate", ">=", "2026-03-05"),
                        build_condition("collectionDate", "<=", "2026-03-03"),
                    ],
                    False,
                ),
                (
                    [
                        build_condition("collectionDate", ">", "9999-12-31"),
                        build_condition("collectionDate", "<", "0001-01-01"),
                    ],
                    False,
                ),
            ):
                ids = await shared_clinic.find(person, *days)
                assert ids == (set(shared_clinic.orders) if is_found else set()), days
