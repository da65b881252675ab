"""How codes of the catalog are read, and who may order a test."""

import pytest

from app.contract import messages
from app.contract.enumerations import Role
from app.server.catalog.rules import (
    TestOffer,
    icd10_code,
    is_bound_to_list,
    judge_ordering,
    with_dot,
)
from tests.rules.permissions import person


class TestDiagnosisCodes:
    """ICD-10-CM, however it was typed."""

    @pytest.mark.parametrize(
        ("typed", "code"),
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
    def test_get_capitals_and_their_dot(self, typed: str, code: str) -> None:
        assert icd10_code(typed) == code

    @pytest.mark.parametrize(
        ("word", "searched"),
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
    def test_get_their_dot_in_a_search_where_they_are_codes(self, word: str, searched: str) -> None:
        assert with_dot(word) == searched


class TestOrdering:
    """What the client's list of tests and the lab's catalog allow (O 4)."""

    OUTSIDE = TestOffer("GLU", is_orderable=True, owner_id=None, is_outside=True)

    def test_a_test_beyond_the_list_is_refused_by_its_code(self) -> None:
        refusal = judge_ordering(person(Role.CLIENT_BASIC), 1, self.OUTSIDE)
        assert refusal == messages.TEST_NOT_OF_CLIENT.format(code="GLU")

    def test_what_the_record_has_already_stays(self) -> None:
        assert judge_ordering(person(Role.CLIENT_BASIC), 1, self.OUTSIDE, is_kept=True) is None

    @pytest.mark.parametrize("role", Role)
    def test_only_the_lab_goes_beyond_the_list(self, role: Role) -> None:
        assert is_bound_to_list(person(role)) == (role not in (Role.SUPERUSER, Role.LABORATORY))
