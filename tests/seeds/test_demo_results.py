"""Results and test lists of the demo lab."""

import re
from collections import Counter

import pytest

from app.contract.enumerations import (
    CRITICAL_FLAGS,
    NOT_ABNORMAL_FLAGS,
    Gender,
    ResultFlag,
    ResultKind,
)
from app.server.orders.rules import FAMILY_BITS
from app.server.results.clinical.rules import Range, compute_flag
from seeds.demo import DemoLab
from seeds.demo.records import DemoPatient, DemoRequisition
from seeds.reference import list_lab_tests
from seeds.reference.catalog import find_range, list_test_formulas
from tests.seeds.demo import list_orders

CATALOG = {test.code: test for test in list_lab_tests()}


pytestmark = pytest.mark.xdist_group("demo lab")  # Building the lab takes seconds.


class TestResults:
    def test_flags_follow_the_rule(self, lab: DemoLab) -> None:
        for requisition, order in list_orders(lab):
            patient = lab.patients[requisition.patient_index]
            for test in order.tests:
                for result in test.results:
                    assert result.flag == _compute_flag(
                        patient, requisition, test.code, result.value
                    )

    def test_most_results_are_normal_and_few_are_critical(self, lab: DemoLab) -> None:
        flags = Counter(
            result.flag for _, o in list_orders(lab) for test in o.tests for result in test.results
        )
        total = sum(flags.values())
        normal_count = flags[ResultFlag.NORMAL] + flags[ResultFlag.NEGATIVE] + flags[None]
        assert 0.8 < normal_count / total < 0.95
        critical_count = sum(flags[flag] for flag in CRITICAL_FLAGS)
        assert 0 < critical_count / total < 0.01
        for flag in ("L", "H", "LL", "HH", "POS", "A"):
            assert flags[ResultFlag(flag)] > 10

    def test_filtration_rate_is_given_only_where_its_formula_is_valid(self, lab: DemoLab) -> None:
        count = 0
        for requisition, order in list_orders(lab):
            patient = lab.patients[requisition.patient_index]
            if any(test.code == "EGFR" for test in order.tests):
                count += 1
                days = (requisition.collection_date.date() - patient.birth_date).days
                assert patient.gender is not Gender.UNKNOWN
                assert days >= 18 * 365
        assert count > 100

    def test_calculated_results_have_come_as_far_as_their_inputs(self, lab: DemoLab) -> None:
        states: Counter[tuple[bool, bool]] = Counter()
        for _, order in list_orders(lab):
            results = {test.code: test.results for test in order.tests}
            # The second row of a test in two panels has no results of its own.
            results |= {test.code: test.results for test in order.tests if test.results}
            for row in list_test_formulas():
                if not {row.test, *row.inputs} <= results.keys():
                    continue
                is_entered, *has_inputs = (bool(results[code]) for code in (row.test, *row.inputs))
                is_released, *has_released_inputs = (
                    bool(results[code] and results[code][-1].released_at)
                    for code in (row.test, *row.inputs)
                )
                assert is_entered == all(has_inputs), (order.code, row.test)
                assert is_released == all(has_released_inputs), (order.code, row.test)
                states[is_entered, is_released] += 1
        assert set(states) == {(False, False), (True, False), (True, True)}

    def test_order_says_whether_results_are_critical_or_abnormal(self, lab: DemoLab) -> None:
        bit = FAMILY_BITS[ResultKind.CLINICAL]
        for _, order in list_orders(lab):
            flags = [
                result.flag
                for test in order.tests
                for result in test.results[-1:]
                if test.kind is ResultKind.CLINICAL and result.released_at and result.flag
            ]
            is_critical = any(flag in CRITICAL_FLAGS for flag in flags)
            is_abnormal = any(flag not in NOT_ABNORMAL_FLAGS for flag in flags)
            assert bool(order.critical_kinds & bit) == is_critical
            assert bool(order.abnormal_kinds & bit) == is_abnormal
            assert order.has_critical == (order.critical_kinds != 0)
            assert order.has_abnormal == (order.abnormal_kinds != 0)

    def test_corrections_add_versions_of_which_the_last_is_current(self, lab: DemoLab) -> None:
        correction_count = 0
        for _, order in list_orders(lab):
            for test in order.tests:
                if test.results:
                    assert [r.revision for r in test.results] == list(
                        range(1, len(test.results) + 1)
                    )
                    assert [r.is_current for r in test.results][-1]
                    assert sum(r.is_current for r in test.results) == 1
                correction_count += len(test.results) > 1
        assert correction_count > 20

    def test_coded_values_are_among_the_choices(self, lab: DemoLab) -> None:
        for _, order in list_orders(lab):
            for test in order.tests:
                choices = CATALOG[test.code].choices
                assert not choices or all(result.value in choices for result in test.results)

    def test_calculated_results_add_up(self, lab: DemoLab) -> None:
        result_count = 0
        for _, order in list_orders(lab):
            values = {
                test.code: float(test.results[0].value)
                for test in order.tests
                if len(test.results) == 1 and re.fullmatch(r"[\d.]+", test.results[0].value)
            }
            if {"CHOL", "HDL", "NHDL"} <= set(values):
                assert values["NHDL"] == pytest.approx(values["CHOL"] - values["HDL"], abs=1)
                result_count += 1
            if {"NEUTP", "LYMPHP", "MONOP", "EOSP", "BASOP"} <= set(values):
                parts = ("NEUTP", "LYMPHP", "MONOP", "EOSP", "BASOP")
                assert sum(values[part] for part in parts) == pytest.approx(100, abs=0.2)
        assert result_count > 100

    def test_values_of_a_patient_vary_little(self, lab: DemoLab) -> None:
        sodium: dict[int, list[float]] = {}
        for requisition, order in list_orders(lab):
            for test in order.tests:
                for result in test.results:
                    if test.code == "NA" and result.flag is ResultFlag.NORMAL:
                        sodium.setdefault(requisition.patient_index, []).append(float(result.value))
        spreads = [max(values) - min(values) for values in sodium.values() if len(values) > 2]
        assert sum(spreads) / len(spreads) < 3


def _compute_flag(
    patient: DemoPatient, requisition: DemoRequisition, code: str, value: str
) -> ResultFlag | None:
    age = (requisition.collection_date.date() - patient.birth_date).days
    row = find_range(code, patient.gender, max(0, age))
    limits = Range(row.low, row.high, row.critical_low, row.critical_high) if row else Range()
    return compute_flag(CATALOG[code].result_type, value, limits, CATALOG[code].normal_choices)


class TestTestLists:
    def test_every_ordered_test_is_on_the_clients_list(self, lab: DemoLab) -> None:
        lists = {test_list.client_code: set(test_list.codes) for test_list in lab.test_lists}
        assert set(lists) < {client.code for client in lab.clients}
        for requisition in lab.requisitions:
            ordered_codes = {test.code for test in requisition.tests if test.parent is None}
            assert ordered_codes <= lists.get(requisition.client_code, ordered_codes), (
                requisition.code
            )

    def test_every_list_lacks_an_orderable_test(self, lab: DemoLab) -> None:
        orderable = {code for code, test in CATALOG.items() if test.orderable}
        for test_list in lab.test_lists:
            assert set(test_list.codes) < orderable, test_list.client_code

    def test_nurse_can_order_all_favorites(self, lab: DemoLab) -> None:
        [listed_codes] = [
            set(test_list.codes) for test_list in lab.test_lists if test_list.client_code == "C001"
        ]
        assert [favorite.name for favorite in lab.favorites] == [
            "ANNUAL PHYSICAL",
            "DIABETES FOLLOW-UP",
        ]
        for favorite in lab.favorites:
            assert favorite.email == "clientbasic@demo.lab" and set(favorite.codes) <= listed_codes
