"""Tests of the less common result types in the demo lab's orders."""

from datetime import timedelta

import pytest

from app.contract.enumerations import OrderStatus, ResultFlag, ResultType
from seeds.demo import DemoLab
from seeds.demo.rare_types import HISTORY_ORDERS, HISTORY_TESTS
from seeds.demo.records import DemoOrder
from seeds.demo.values import load_catalog
from tests.seeds.demo import list_orders

pytestmark = pytest.mark.xdist_group("demo lab")  # Building the lab takes seconds.
CATALOG = load_catalog()
RARE_TYPES = {
    ResultType.GREATER_THAN_VALUE,
    ResultType.LESS_THAN_VALUE,
    ResultType.TITER,
    ResultType.SPECIFIC_CUT_OFF,
    ResultType.OPEN_RESULT_WITH_UNIT,
    ResultType.OPEN_RESULT_WITHOUT_UNIT,
}


def list_history_orders(lab: DemoLab) -> list[DemoOrder]:
    """List the orders of the patient with the long history."""
    return [r.order for r in lab.history.requisitions if r.order is not None]


@pytest.mark.parametrize(
    ("result_type", "flags"),
    [
        (ResultType.GREATER_THAN_VALUE, {ResultFlag.NORMAL, ResultFlag.LOW}),
        (ResultType.LESS_THAN_VALUE, {ResultFlag.NORMAL, ResultFlag.HIGH}),
        (ResultType.TITER, {ResultFlag.NORMAL, ResultFlag.HIGH}),
        (
            ResultType.SPECIFIC_CUT_OFF,
            {ResultFlag.NEGATIVE, ResultFlag.ABNORMAL, ResultFlag.POSITIVE},
        ),
        (ResultType.OPEN_RESULT_WITH_UNIT, {None, ResultFlag.NORMAL, ResultFlag.LOW}),
        (ResultType.OPEN_RESULT_WITHOUT_UNIT, {None}),
    ],
)
def test_each_type_has_normal_and_abnormal_results(
    lab: DemoLab, result_type: ResultType, flags: set[ResultFlag | None]
) -> None:
    results = [
        result
        for _, order in list_orders(lab)
        for test in order.tests
        if CATALOG[test.code].result_type is result_type
        for result in test.results
    ]
    assert {result.flag for result in results} == flags


def test_titers_follow_the_screen(lab: DemoLab) -> None:
    pairs = {
        (screen.results[-1].value, titer.results[-1].flag)
        for _, order in list_orders(lab)
        for screen in order.tests
        for titer in order.tests
        if (screen.code, titer.code) == ("ANA", "ANAT") and screen.results and titer.results
    }
    assert pairs == {("NEGATIVE", ResultFlag.NORMAL), ("POSITIVE", ResultFlag.HIGH)}


def test_one_order_waits_for_results_of_every_rare_type(lab: DemoLab) -> None:
    assert any(
        order.status is OrderStatus.PENDING and _list_types(order) >= RARE_TYPES
        for _, order in list_orders(lab)
    )


def _list_types(order: DemoOrder) -> set[ResultType]:
    return {CATALOG[test.code].result_type for test in order.tests}


def test_long_history_has_rare_types_several_times_in_the_last_year(lab: DemoLab) -> None:
    orders = [
        order
        for order in list_history_orders(lab)
        if set(HISTORY_TESTS) <= {test.code for test in order.tests}
    ]
    assert len(orders) == HISTORY_ORDERS
    assert orders[-1] is list_history_orders(lab)[-1]
    assert orders[-1].received_at - orders[0].received_at < timedelta(days=365)


def test_results_have_the_method_of_their_test(lab: DemoLab) -> None:
    for _, order in list_orders(lab):
        for test in order.tests:
            assert all(result.method == CATALOG[test.code].method for result in test.results)
