"""Checks of a row of lab data: its references, and its differences from other rows."""

from collections.abc import Sequence
from typing import Any

import pytest

from app.basics.errors import FieldError
from app.contract import messages
from app.server.accounts.models import User
from app.server.lab_data.checks import (
    complete_unit,
    is_active,
    resolve_values,
    validate_row,
    validate_unit,
)
from app.server.lab_data.kind import DataKind, Field
from app.server.lab_data.repository import StoredRow
from tests.rules.errors import list_errors

_FIELDS = (
    Field("code", "Code"),
    Field("payer_id", "Payer", "lookup", lookup="payers"),
    Field("tests", "Tests", "links", lookup="tests"),
    Field("active", "In use", "boolean"),
)
_RESOLVED_KEYS = {
    "payers": {"AETNA": ("Aetna", 1)},
    "tests": {"GLU": ("GLU", 2), "K": ("K", 3)},
}
_WRONG = [FieldError("code", "wrong")]


def build_kind(**values: Any) -> DataKind:
    """Build a kind with a lookup, links, and rows that may no longer be in use."""
    return DataKind("things", "Things", "thing", "Group", User, _FIELDS, ("code",), **values)


def build_values(**values: Any) -> dict[str, Any]:
    """Build the values of a row."""
    return {"code": "A", "payer": "", "tests": [], "active": True, **values}


class TestReferences:
    """Texts that refer to other records."""

    def test_replaces_references_by_their_stored_values(self) -> None:
        values = build_values(payer="aetna", tests=["k", "GLU"])
        assert resolve_values(build_kind(), values, _RESOLVED_KEYS) == []
        assert (values["payer"], values["tests"]) == ("Aetna", ["K", "GLU"])

    def test_empty_references_stay(self) -> None:
        values = build_values()
        assert resolve_values(build_kind(), values, _RESOLVED_KEYS) == []
        assert values == build_values()

    def test_names_each_unknown_reference(self) -> None:
        values = build_values(payer="Humana", tests=["GLU", "NOPE", "NEITHER"])
        assert list_errors(resolve_values(build_kind(), values, _RESOLVED_KEYS)) == [
            ("payer", messages.LAB_DATA_UNKNOWN.format(label="Payer", key="Humana")),
            ("tests", messages.LAB_DATA_UNKNOWN.format(label="Tests", key="NOPE")),
        ]

    def test_empty_lookups_find_nothing(self) -> None:
        [error] = resolve_values(build_kind(), build_values(payer="Aetna"), {})
        assert error.field == "payer"

    def test_stored_references_stay(self) -> None:
        """A stored reference to a record that is no longer offered is valid; a new one is not."""
        values = build_values(payer="Humana", tests=["NOPE"])
        stored_values = build_values(payer="Humana", tests=["GLU"])
        errors = resolve_values(build_kind(), values, _RESOLVED_KEYS, stored_values)
        assert [error.field for error in errors] == ["tests"]
        assert values["payer"] == "Humana"


class TestRows:
    """A row among other rows."""

    def validate(
        self,
        kind: DataKind,
        row_id: int | None = None,
        *,
        values: dict[str, Any] | None = None,
        same: Sequence[StoredRow] = (),
        siblings: Sequence[StoredRow] = (),
        compares_siblings: bool = True,
    ) -> list[tuple[str, str]]:
        """Validate a row, by default without other rows, and return its errors."""
        values = build_values() if values is None else values
        return list_errors(
            validate_row(
                kind,
                values,
                same,
                siblings,
                None if row_id is None else StoredRow(row_id, values),
                {},
                compares_siblings=compares_siblings,
            )
        )

    def test_a_single_row_has_no_errors(self) -> None:
        assert self.validate(build_kind()) == []

    def test_reports_the_errors_of_its_kind(self) -> None:
        kind = build_kind(validate=lambda values: list(_WRONG) if values["code"] == "A" else [])
        assert self.validate(kind) == [("code", "wrong")]
        assert self.validate(kind, values=build_values(code="B")) == []

    def test_rejects_the_identity_of_another_row(self) -> None:
        same = [StoredRow(7, build_values())]
        error = ("code", messages.LAB_DATA_EXISTS.format(labels="Code"))
        assert self.validate(build_kind(), None, same=same) == [error]
        assert self.validate(build_kind(), 8, same=same) == [error]
        assert self.validate(build_kind(), 7, same=same) == []

    @pytest.fixture
    def comparing_kind(self) -> DataKind:
        """A kind whose comparison names the codes of the other rows."""
        return build_kind(
            compare=lambda values, others: [
                FieldError("code", str(other["code"])) for other in others if values["active"]
            ]
        )

    def test_compares_a_row_with_others_in_use(self, comparing_kind: DataKind) -> None:
        siblings = [
            StoredRow(1, build_values(code="A")),
            StoredRow(2, build_values(code="B")),
            StoredRow(3, build_values(code="C", active=False)),
        ]
        assert self.validate(comparing_kind, 1, siblings=siblings) == [("code", "B")]
        assert self.validate(comparing_kind, None, siblings=siblings) == [
            ("code", "A"),
            ("code", "B"),
        ]
        assert self.validate(comparing_kind, 1, siblings=siblings, compares_siblings=False) == []

    def test_does_not_compare_a_row_that_is_no_longer_in_use(
        self, comparing_kind: DataKind
    ) -> None:
        siblings = [StoredRow(2, build_values(code="B"))]
        unused_values = build_values(active=False)
        assert self.validate(comparing_kind, 1, siblings=siblings, values=unused_values) == []

    def test_does_not_compare_an_invalid_row(self, comparing_kind: DataKind) -> None:
        siblings = [StoredRow(2, build_values(code="B"))]
        same = [StoredRow(9, build_values())]
        errors = self.validate(comparing_kind, 1, siblings=siblings, same=same)
        assert errors == [("code", messages.LAB_DATA_EXISTS.format(labels="Code"))]

    def test_compares_rows_unless_told_otherwise(self, comparing_kind: DataKind) -> None:
        siblings = [StoredRow(2, build_values(code="B"))]
        errors = validate_row(comparing_kind, build_values(), (), siblings, None, {})
        assert list_errors(errors) == [("code", "B")]

    def test_reports_the_errors_of_a_change(self) -> None:
        kind = build_kind(
            validate=lambda _: list(_WRONG),
            validate_change=lambda stored_values, values: [
                FieldError("code", f"{stored_values['code']} to {values['code']}")
            ],
        )
        stored_row = StoredRow(1, build_values(code="A"))
        errors = validate_row(kind, build_values(code="B"), (), (), stored_row, {})
        assert list_errors(errors) == [("code", "wrong"), ("code", "A to B")]

    def test_all_rows_of_a_kind_without_the_field_are_in_use(self) -> None:
        assert is_active(build_kind(active=""), build_values(active=False))
        assert is_active(build_kind(), build_values())
        assert not is_active(build_kind(), build_values(active=False))


_UNITS = {"GLU": "mg/dL", "PH": None}


def build_limits(**values: Any) -> dict[str, Any]:
    """Build the values of a row with limits in the unit of glucose."""
    return build_values(**{"test": "GLU", "unit": "mg/dL", "low": "1", "high": None, **values})


class TestUnits:
    """The unit of a row's limits (ADR 102)."""

    @pytest.fixture
    def kind(self) -> DataKind:
        """A kind with limits."""
        return build_kind(limits=("low", "high"))

    @pytest.mark.parametrize(
        ("values", "is_new", "unit"),
        [
            ({"unit": None}, True, "mg/dL"),
            ({"unit": None, "low": None, "high": "9"}, True, "mg/dL"),
            ({"unit": None, "test": "PH"}, True, None),
            ({"unit": None, "test": "NOPE"}, True, None),
            ({"unit": "mmol/L"}, True, "mmol/L"),
            ({"unit": None}, False, None),
            ({"unit": "mg/dL", "low": None}, True, None),
            ({"unit": "mg/dL", "low": None}, False, None),
        ],
    )
    def test_new_limits_are_in_the_unit_of_their_test(
        self, kind: DataKind, values: dict[str, Any], *, is_new: bool, unit: str | None
    ) -> None:
        completed_values = build_limits(**values)
        complete_unit(kind, completed_values, _UNITS, is_new=is_new)
        assert completed_values == build_limits(**{**values, "unit": unit})

    def test_rows_of_other_kinds_keep_their_unit(self) -> None:
        values = build_values(unit="mmol/L")
        complete_unit(build_kind(), values, _UNITS, is_new=True)
        assert values == build_values(unit="mmol/L")

    def test_names_the_unit_that_the_test_has_now(self, kind: DataKind) -> None:
        text = messages.LIMITS_IN_OTHER_UNIT.format(test="GLU", test_unit="mg/dL")
        for unit in ("mmol/L", None):
            errors = validate_unit(kind, build_limits(unit=unit), _UNITS)
            assert list_errors(errors) == [("unit", text)]
        text = messages.LIMITS_IN_A_UNIT.format(test="PH")
        assert list_errors(validate_unit(kind, build_limits(test="PH"), _UNITS)) == [("unit", text)]

    @pytest.mark.parametrize(
        "values",
        [
            {},
            {"test": "PH", "unit": None},
            {"unit": "mmol/L", "active": False},
            {"unit": "mmol/L", "low": None},
        ],
    )
    def test_accepts_limits_in_the_unit_of_their_test(
        self, kind: DataKind, values: dict[str, Any]
    ) -> None:
        assert validate_unit(kind, build_limits(**values), _UNITS) == []

    def test_other_kinds_have_no_unit(self) -> None:
        assert validate_unit(build_kind(), build_limits(unit="mmol/L"), _UNITS) == []

    def test_a_row_has_the_errors_of_its_unit(self, kind: DataKind) -> None:
        values = build_limits(unit="mmol/L")
        errors = validate_row(kind, values, (), (), None, _UNITS)
        assert [error.field for error in errors] == ["unit"]
        assert validate_row(kind, build_limits(), (), (), None, _UNITS) == []
