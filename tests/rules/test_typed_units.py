"""Units typed with a result, in the families that have numbers."""

from types import SimpleNamespace

import pytest

from app.contract import messages
from app.server.results.entry.rules import copy_columns, find_unit_fault, name_unit


@pytest.mark.parametrize(
    ("unit", "typed_unit"), [("mg/dL", None), ("mg/dL", "mg/dL"), ("mg/dL", "MG/DL"), (None, None)]
)
def test_accepts_the_unit_of_the_test_or_none(unit: str | None, typed_unit: str | None) -> None:
    assert find_unit_fault("GLU", unit, typed_unit) is None


def test_names_both_units() -> None:
    text = messages.RESULT_OTHER_UNIT.format(test="GLU", unit="mg/dL", other="mmol/L")
    assert find_unit_fault("GLU", "mg/dL", "mmol/L") == text


def test_rejects_a_unit_where_the_test_has_none() -> None:
    text = messages.RESULT_WITHOUT_UNIT.format(test="PH", other="mmol/L")
    assert find_unit_fault("PH", None, "mmol/L") == text


def test_says_that_there_is_no_unit() -> None:
    assert name_unit("mg/dL") == "mg/dL"
    assert name_unit(None) == messages.RESULT_UNIT_NONE


def test_copies_only_the_named_columns() -> None:
    source = SimpleNamespace(unit="mg/dL", method=None, value="5")
    target = SimpleNamespace(unit="mmol/L", method="Strip", value="6")
    copy_columns(source, target, ["unit", "method"])
    assert target == SimpleNamespace(unit="mg/dL", method=None, value="6")
