"""The patient with five years of monthly results, for cumulative results."""

from datetime import datetime, time, timedelta
from itertools import pairwise

import pytest

from app.contract.enumerations import ResultFlag, ResultKind
from seeds.demo import DemoLab
from seeds.demo.records import DemoResult
from tests.seeds.demo import AS_OF

pytestmark = pytest.mark.xdist_group("demo lab")  # Building the lab takes seconds.


def list_results(lab: DemoLab, code: str) -> list[DemoResult]:
    """List the results of an analyte, oldest first."""
    orders = [requisition.order for requisition in lab.history.requisitions]
    return [
        result
        for order in orders
        if order
        for test in order.tests
        if test.code == code
        for result in test.results
    ]


def test_history_has_an_order_in_each_month_outside_the_gap(lab: DemoLab) -> None:
    dates = [requisition.collection_date for requisition in lab.history.requisitions]
    assert len(dates) == 57
    gaps = [later - earlier for earlier, later in pairwise(dates)]
    assert sum(gap > timedelta(days=100) for gap in gaps) == 1
    assert dates[-1] - dates[0] > timedelta(days=5 * 350)
    for requisition in lab.history.requisitions:
        assert requisition.order and requisition.order.reported_at
        assert requisition.order.reported_at < datetime.combine(AS_OF, time())


def test_numbers_and_names_follow_the_other_records(lab: DemoLab) -> None:
    history = lab.history
    assert [r.number for r in history.requisitions] == list(range(3_001, 3_058))
    assert (history.patient.index, history.patient.code) == (500, "P0000501")
    codes = {r.code for r in lab.requisitions} | {r.code for r in history.requisitions}
    assert len(codes) == 3_057


def test_demo_client_and_demo_physician_have_the_orders(lab: DemoLab) -> None:
    accounts = {account.email: account for account in lab.accounts}
    for requisition in lab.history.requisitions:
        assert (requisition.client_code,) == accounts["clientbasic@demo.lab"].client_codes
        assert (requisition.physician_npi,) == accounts["physician@demo.lab"].physician_npis


def test_method_and_range_change_over_the_years(lab: DemoLab) -> None:
    creatinine, potassium = list_results(lab, "CREA"), list_results(lab, "K")
    assert [result.method for result in (creatinine[0], creatinine[-1])] == ["JAFFE", "ENZYMATIC"]
    assert {result.method for result in potassium} == {"ISE"}
    assert [r.reference_range for r in (potassium[0], potassium[-1])] == ["3.5 - 5.3", "3.5 - 5.1"]
    assert len({result.unit for result in creatinine}) == 1


def test_flags_follow_the_range_of_their_time(lab: DemoLab) -> None:
    potassium = list_results(lab, "K")
    assert [result.flag for result in potassium].count(ResultFlag.CRITICAL_HIGH) == 1
    for result in potassium:
        assert result.number is not None and result.high is not None
        assert (result.flag is ResultFlag.NORMAL) == (result.number <= result.high)
    assert {result.flag for result in list_results(lab, "GLU")} >= {ResultFlag.HIGH, ResultFlag.LOW}


def test_calculated_results_fit_the_measured_ones(lab: DemoLab) -> None:
    pairs = zip(list_results(lab, "A1C"), list_results(lab, "EAG"), strict=True)
    for a1c, average in pairs:
        assert float(average.value) == pytest.approx(28.7 * float(a1c.value) - 46.7, abs=1)
    blood = [
        [float(result.value) for result in list_results(lab, code)]
        for code in ("HCT", "HGB", "MCHC")
    ]
    for hematocrit, hemoglobin, concentration in zip(*blood, strict=True):
        assert hematocrit == pytest.approx(hemoglobin / concentration * 100, abs=0.1)
    rates = [float(result.value) for result in list_results(lab, "EGFR")]
    assert rates[0] > 70 > 50 > rates[-1]


def test_some_orders_have_drug_tests(lab: DemoLab) -> None:
    drug_test_orders = [
        requisition.order
        for requisition in lab.history.requisitions
        if requisition.order
        and any(t.kind is ResultKind.TOXICOLOGY and t.toxicology for t in requisition.order.tests)
    ]
    assert len(drug_test_orders) == 5
    assert all(order.assessment for order in drug_test_orders)
