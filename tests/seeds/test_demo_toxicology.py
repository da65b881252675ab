"""Toxicology results of the demo lab."""

from collections import Counter

import pytest

from app.contract.enumerations import ResultKind, ToxicologyVerdict
from app.server.orders.rules import FAMILY_BITS
from seeds.demo import DemoLab
from tests.seeds.demo import list_orders

pytestmark = pytest.mark.xdist_group("demo lab")  # Building the lab takes seconds.


def test_every_verdict_occurs(lab: DemoLab) -> None:
    kinds = Counter(
        verdict["kind"]
        for _, order in list_orders(lab)
        for verdict in (order.assessment.verdicts if order.assessment else ())
    )
    assert set(kinds) == set(ToxicologyVerdict)
    assessments = [order.assessment for _, order in list_orders(lab) if order.assessment]
    assert any(assessment.specimen_fault for assessment in assessments)
    assert any(assessment.has_unexpected_positive for assessment in assessments)


def test_released_orders_have_an_assessment_of_their_medications(lab: DemoLab) -> None:
    for requisition, order in list_orders(lab):
        is_released = any(result.released_at for test in order.tests for result in test.toxicology)
        assert (order.assessment is not None) == is_released
        if order.assessment is not None:
            assert order.assessment.medications == requisition.medications


def test_orders_reflect_their_verdicts(lab: DemoLab) -> None:
    bit = FAMILY_BITS[ResultKind.TOXICOLOGY]
    for _, order in list_orders(lab):
        kinds = {v["kind"] for v in (order.assessment.verdicts if order.assessment else ())}
        fault = order.assessment.specimen_fault if order.assessment else None
        is_inconsistent = bool(
            kinds & {ToxicologyVerdict.UNEXPECTED_NEGATIVE, ToxicologyVerdict.UNEXPECTED_POSITIVE}
        )
        assert bool(order.abnormal_kinds & bit) == (is_inconsistent or fault is not None)
        if order.critical_kinds & bit:
            assert ToxicologyVerdict.UNEXPECTED_POSITIVE in kinds


def test_toxicology_has_no_plain_results(lab: DemoLab) -> None:
    measured_tests = [
        test
        for _, order in list_orders(lab)
        for test in order.tests
        if test.kind is ResultKind.TOXICOLOGY and not test.is_panel
    ]
    assert any(test.toxicology for test in measured_tests)
    assert all(test.results == () for test in measured_tests)
