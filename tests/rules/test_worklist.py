"""Rules for releasing results of several orders together (ADR 48)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract import messages
from app.server.results.worklist.rules import (
    ReadyResult,
    find_concern,
    find_toxicology_concern,
)

GLUCOSE = ReadyResult("GLUCOSE")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("is_critical", messages.RELEASE_CRITICAL),
        ("is_correction", messages.RELEASE_CORRECTION),
        ("is_implausible", messages.RELEASE_IMPLAUSIBLE),
        ("is_delta_exceeded", messages.RELEASE_DELTA),
        ("needs_unit_check", messages.RELEASE_UNIT),
        ("is_specimen_rejected", messages.RELEASE_SPECIMEN),
        ("predates_specimen", messages.RELEASE_BEFORE_SPECIMEN),
        ("has_remark", messages.RELEASE_REMARK),
    ],
)
def test_names_each_reason_for_a_review(name: str, message: str) -> None:
    text = find_concern(replace(GLUCOSE, **{name: True}))
    assert text == message.format(test="GLUCOSE")


@given(st.tuples(*[st.booleans()] * 8))
def test_allows_only_unremarkable_results(marks: tuple[bool, ...]) -> None:
    assert (find_concern(ReadyResult("K", *marks)) is None) == (not any(marks))


@pytest.mark.parametrize(
    ("fault", "drug", "message"),
    [
        (None, None, None),
        ("Creatinine is low", None, messages.RELEASE_SPECIMEN_INVALID),
        (None, "FENTANYL", messages.RELEASE_UNEXPECTED.format(drug="FENTANYL")),
        ("Creatinine is low", "FENTANYL", messages.RELEASE_SPECIMEN_INVALID),
    ],
)
def test_names_each_reason_to_review_toxicology(
    fault: str | None, drug: str | None, message: str | None
) -> None:
    assert find_toxicology_concern(fault, drug) == message
