"""Conditions on results in the advanced search."""

from typing import Any

import pytest

from app.server.order_search.columns import get_columns
from tests.rules.test_order_search import build_rule
from tests.server.order_search.records import (
    EVERYBODY,
    ROLES,
    Clinic,
    build_condition,
    join_conditions,
)


class TestResults:
    """Test, operator, and value are one condition, only on released results."""

    def build_glucose_condition(self, clinic: Clinic, operator: str, value: Any) -> dict[str, Any]:
        """Build a condition on glucose as a number."""
        test = clinic.world.get_test_id("GLU")
        return build_condition("resultNumber", operator, value, test=test)

    async def test_the_value_belongs_to_the_test(self, clinic: Clinic) -> None:
        order = await clinic.add_order("GLU", "K")
        clinic.add_result(order, "GLU", "90")
        clinic.add_result(order, "K", "4.1", flag="N")
        potassium = clinic.world.get_test_id("K")
        for person in EVERYBODY:
            assert await clinic.find(person, self.build_glucose_condition(clinic, "=", 90)) == {
                order
            }
            assert (
                await clinic.find(person, self.build_glucose_condition(clinic, "=", 4.1)) == set()
            )
            rule = build_condition("resultNumber", "between", [4, 5], test=potassium)
            assert await clinic.find(person, rule) == {order}
            rule = build_condition("resultFlag", "in", ["N"], test=potassium)
            assert await clinic.find(person, rule) == {order}
            rule = build_condition("resultText", "=", "4.1", test=potassium)
            assert await clinic.find(person, rule) == {order}

    async def test_a_negative_operator_needs_a_result(self, clinic: Clinic) -> None:
        with_result, _without = await clinic.add_order("GLU"), await clinic.add_order("GLU")
        clinic.add_result(with_result, "GLU", "90")
        assert await clinic.find("nurse", self.build_glucose_condition(clinic, "!=", 91)) == {
            with_result
        }
        rule = build_condition("resultAbnormal", "=", False, test=clinic.world.get_test_id("GLU"))
        assert await clinic.find("nurse", rule) == {with_result}

    @pytest.mark.parametrize(
        ("value", "operator", "number", "is_met"),
        [
            ("<5", "<", 5, True),
            ("<5", "<", 4.9, False),
            ("<5", "<=", 5, True),
            ("<5", ">", 1, False),
            ("<5", "=", 5, False),
            ("<5", "=", 4, False),
            ("<5", "!=", 4, True),
            ("<5", "!=", 7, True),
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
    async def test_a_signed_value_matches_if_all_its_possible_values_match(
        self, clinic: Clinic, value: str, operator: str, number: Any, is_met: bool
    ) -> None:
        order = await clinic.add_order("GLU")
        clinic.add_result(order, "GLU", value)
        rule = self.build_glucose_condition(clinic, operator, number)
        assert await clinic.find("nurse", rule) == ({order} if is_met else set())

    async def test_sees_the_newest_released_version(self, clinic: Clinic) -> None:
        order = await clinic.add_order("GLU")
        clinic.add_result(order, "GLU", "90")
        correction_condition = build_condition(
            "resultCorrected", "=", True, test=clinic.world.get_test_id("GLU")
        )
        assert await clinic.find("nurse", correction_condition) == set()
        clinic.add_result(order, "GLU", "190", flag="HH")
        for person in EVERYBODY:
            assert await clinic.find(person, self.build_glucose_condition(clinic, "=", 90)) == set()
            assert await clinic.find(person, self.build_glucose_condition(clinic, "=", 190)) == {
                order
            }
            assert await clinic.find(person, correction_condition) == {order}
            critical = {**correction_condition, "field": "resultCritical"}
            assert await clinic.find(person, critical) == {order}

    async def test_finds_the_correction_of_a_withdrawn_result(self, clinic: Clinic) -> None:
        order, other_order = await clinic.add_order("GLU"), await clinic.add_order("GLU")
        clinic.add_result(order, "GLU", "90", withheld="withdrawn")
        clinic.add_result(order, "GLU", "190", reason="SPECIMEN")
        clinic.add_result(other_order, "GLU", "90")
        condition = build_condition(
            "resultCorrected", "=", True, test=clinic.world.get_test_id("GLU")
        )
        for person in EVERYBODY:
            assert await clinic.find(person, condition) == {order}, person
            assert await clinic.find(person, {**condition, "value": False}) == {other_order}

    async def test_hidden_results_answer_as_if_there_were_none(self, clinic: Clinic) -> None:
        hidden_states = ("entered", "correcting", "withheld", "marked", "canceled")
        orders = {state: await clinic.add_order("GLU") for state in hidden_states}
        empty_orders = dict.fromkeys(hidden_states, await clinic.add_order("GLU"))
        empty_orders["correcting"] = await clinic.add_order("GLU")
        for order in (orders["correcting"], empty_orders["correcting"]):
            clinic.add_result(order, "GLU", "90", flag="N")
        values = {
            "entered": {"released_at": None},
            "correcting": {"released_at": None},
            "withheld": {"withheld": "review"},
        }
        for state, order in orders.items():
            clinic.add_result(order, "GLU", "777", flag="HH", **values.get(state, {}))
        for state, change in (("marked", "withheld = 'withdrawn'"), ("canceled", "status = 32")):
            row = clinic.get_order_test_id(orders[state], "GLU")
            clinic.world.run_sql(f"UPDATE order_tests SET {change} WHERE id = %s", (row,))
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
                    for query in (rule, join_conditions(rule, **{"not": True})):
                        ids = await clinic.find(person, query)
                        for state, order in orders.items():
                            is_found = empty_orders[state] in ids
                            assert (order in ids) is is_found, (person, query, state)

    async def test_finds_organisms_of_released_cultures(self, clinic: Clinic) -> None:
        released_order, entered_order = (
            await clinic.add_order("UCUL"),
            await clinic.add_order("UCUL"),
        )
        for order, released_at in ((released_order, "2026-03-06"), (entered_order, None)):
            culture = clinic.world.run_sql(
                "INSERT INTO cultures (order_id, order_test_id, revision, entered_at, released_at)"
                " VALUES (%s, %s, 1, '2026-03-05', %s) RETURNING id",
                (order, clinic.get_order_test_id(order, "UCUL"), released_at),
            )
            clinic.world.run_sql(
                "INSERT INTO culture_organisms (culture_id, position, code, group_code, name,"
                " is_flora, is_interim) VALUES (%s, 0, 'ECO', 'GNB', 'Escherichia coli', false,"
                " false)",
                (culture,),
            )
        for person in EVERYBODY:
            ids = await clinic.find(person, build_condition("organism", "contains", "e"))
            assert ids == {released_order}
            assert await clinic.find(person, build_condition("organism", "null")) == {entered_order}

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
                ids = await clinic.find(person, build_condition("unexpectedDrug", "=", "fentanyl"))
                assert ids == ({order} if revision == 1 else set())
