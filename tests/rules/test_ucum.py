"""UCUM codes of units."""

import pytest

from app.server.catalog.ucum import find_ucum
from seeds.reference.catalog import list_lab_tests


@pytest.mark.parametrize(
    ("unit", "code"),
    [
        ("mg/dL", "mg/dL"),
        ("%", "%"),
        ("IU/L", "[IU]/L"),
        ("mIU/L", "m[IU]/L"),
        ("mL/min/1.73 m2", "mL/min/{1.73_m2}"),
        ("/HPF", "/[HPF]"),
        (None, None),
    ],
)
def test_names_the_code_of_a_unit(unit: str | None, code: str | None) -> None:
    assert find_ucum(unit) == code


def test_guesses_no_code() -> None:
    assert find_ucum("gr/dl") is None


def test_every_unit_of_the_catalog_has_a_code() -> None:
    units = {test.unit for test in list_lab_tests() if test.unit}
    assert [unit for unit in sorted(units) if find_ucum(unit) is None] == []
