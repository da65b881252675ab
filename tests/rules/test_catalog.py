"""Rules for ICD-10 codes and for ordering tests."""

import pytest

from app.contract import messages
from app.contract.enumerations import ResultKind, Role
from app.server.catalog.rules import (
    TestOffer,
    add_dot,
    has_single_value,
    is_bound_to_list,
    judge_ordering,
    normalize_icd10_code,
)
from tests.rules.permissions import build_actor


class TestDiagnosisCodes:
    """ICD-10-CM codes as people type them."""

    @pytest.mark.parametrize(
        ("typed_text", "code"),
        [
            ("e119", "E11.9"),
            ("E11.9", "E11.9"),
            ("e11 9", "E11.9"),
            ("E11", "E11"),
            ("I1", "I1"),
            ("s72.001a", "S72.001A"),
            ("É11", "11"),
            ("E٣11", "E11"),
            ("", ""),
        ],
    )
    def test_normalizes_case_and_dot(self, typed_text: str, code: str) -> None:
        assert normalize_icd10_code(typed_text) == code

    @pytest.mark.parametrize(
        ("word", "expected"),
        [
            ("E119", "E11.9"),
            ("C7A010", "C7A.010"),
            ("E11", "E11"),
            ("E11.9", "E11.9"),
            ("e119", "e119"),
            ("DIABETES", "DIABETES"),
            ("E11999999", "E11999999"),
        ],
    )
    def test_adds_the_dot_to_codes_in_a_search(self, word: str, expected: str) -> None:
        assert add_dot(word) == expected


class TestOrdering:
    """Ordering by the client's list of tests and the lab's catalog (O 4)."""

    OUTSIDE = TestOffer("GLU", is_orderable=True, owner_id=None, is_outside=True)

    def test_rejects_a_test_outside_the_list(self) -> None:
        denial = judge_ordering(build_actor(Role.CLIENT_BASIC), 1, self.OUTSIDE)
        assert denial == messages.TEST_NOT_OF_CLIENT.format(code="GLU")

    def test_allows_a_test_already_on_the_record(self) -> None:
        assert (
            judge_ordering(build_actor(Role.CLIENT_BASIC), 1, self.OUTSIDE, is_on_record=True)
            is None
        )

    @pytest.mark.parametrize("role", Role)
    def test_only_lab_staff_go_beyond_the_list(self, role: Role) -> None:
        assert is_bound_to_list(build_actor(role)) == (
            role not in (Role.SUPERUSER, Role.LABORATORY)
        )


@pytest.mark.parametrize("kind", ResultKind)
def test_only_tests_with_numbers_have_a_single_value(kind: ResultKind) -> None:
    is_value = kind in (ResultKind.CLINICAL, ResultKind.TOXICOLOGY)
    assert has_single_value(kind, is_panel=False) is is_value
    assert not has_single_value(kind, is_panel=True)
