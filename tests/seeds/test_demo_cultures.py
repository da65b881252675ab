"""The cultures of the demo lab."""

from itertools import pairwise

import pytest

from app.contract.enumerations import CultureStage, ResultKind, ResultStatus
from app.server.results.microbiology.rules import Culture, find_gaps, is_correction
from app.server.results.microbiology.susceptibility import find_impossible_antibiotics
from seeds.demo import DemoLab
from seeds.demo.records import DemoCulture, DemoOrderTest
from seeds.demo.values import load_catalog
from seeds.reference.microbiology import list_intrinsic_resistances
from tests.seeds.demo import list_orders


@pytest.fixture(scope="module")
def tests(lab: DemoLab) -> list[DemoOrderTest]:
    """All microbiology tests."""
    return [
        test
        for _, order in list_orders(lab)
        for test in order.tests
        if test.kind is ResultKind.MICROBIOLOGY and not test.is_panel
    ]


def list_released(test: DemoOrderTest) -> list[DemoCulture]:
    """List the released versions, oldest first."""
    return [culture for culture in test.cultures if culture.released_at]


def test_tests_have_no_text_results(tests: list[DemoOrderTest]) -> None:
    assert all(not test.results for test in tests)


def test_cultures_occur_in_all_states(tests: list[DemoOrderTest]) -> None:
    states = {test.status for test in tests}
    assert states >= {
        ResultStatus.PENDING,
        ResultStatus.UNRELEASED,
        ResultStatus.PRELIMINARY,
        ResultStatus.FINAL,
        ResultStatus.CANCELED,
    }


def test_each_culture_has_one_current_version(tests: list[DemoOrderTest]) -> None:
    for test in tests:
        assert not any(culture.is_current for culture in test.cultures[:-1])
        assert all(culture.is_current for culture in test.cultures[-1:])
        assert [c.revision for c in test.cultures] == list(range(1, len(test.cultures) + 1))


def test_released_cultures_have_no_gaps(tests: list[DemoOrderTest]) -> None:
    for test in tests:
        has_choices = bool(load_catalog()[test.code].choices)
        for culture in list_released(test):
            assert culture.stage is not None
            content, stage = culture.content, culture.stage
            assert find_gaps(test.name, content, stage, has_choices=has_choices) == [], test.code


def test_no_culture_names_a_longer_incubation_than_it_had(tests: list[DemoOrderTest]) -> None:
    # The demo lab releases its cultures within a day or two.
    names = {f.name for test in tests for c in test.cultures for f in c.content.findings}
    assert "No growth" in names
    assert [name for name in names if "hours" in name or "days" in name] == []


def test_corrections_have_a_reason_and_progress_has_none(tests: list[DemoOrderTest]) -> None:
    correction_count = 0
    for test in tests:
        released_versions = list_released(test)
        for before, after in pairwise(released_versions):
            assert before.stage is not None
            is_corrected = is_correction(before.content, after.content, before.stage)
            assert is_corrected == (after.reason is not None), test.code
            correction_count += is_corrected
    assert correction_count


def test_no_intrinsic_resistance_is_reported_susceptible(tests: list[DemoOrderTest]) -> None:
    resistances = frozenset(list_intrinsic_resistances())
    for content in list_contents(tests):
        for organism in content.organisms:
            interpretations = {
                susceptibility.antibiotic: susceptibility.interpretation
                for susceptibility in organism.sensitivity
            }
            impossible = find_impossible_antibiotics(
                resistances, organism.subject, interpretations, organism.mark
            )
            assert impossible == []


def test_resistant_organisms_suppressed_antibiotics_and_criticals_occur(
    tests: list[DemoOrderTest],
) -> None:
    contents = list_contents(tests)
    marks = {organism.mark for content in contents for organism in content.organisms}
    assert marks >= {"MRSA", "ESBL", "VRE"}
    assert any(
        susceptibility.is_suppressed
        for content in contents
        for organism in content.organisms
        for susceptibility in organism.sensitivity
    )
    assert any(len(content.organisms) > 1 for content in contents)
    stages = {c.stage for test in tests for c in list_released(test) if c.is_critical}
    assert stages == set(CultureStage)


def list_contents(tests: list[DemoOrderTest]) -> list[Culture]:
    """List the contents of all versions."""
    return [culture.content for test in tests for culture in test.cultures]
