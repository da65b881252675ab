"""Rules for physicians."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.server.physicians.rules import is_valid_npi
from seeds.demo.people import build_npi


@pytest.mark.parametrize("number", ["1234567893", "1245319599"])
def test_accepts_published_npis(number: str) -> None:
    assert is_valid_npi(number)


@given(st.integers(0, 99_999_999))
def test_demo_physicians_have_valid_npis_starting_with_2(base: int) -> None:
    assert is_valid_npi(build_npi(base))
    assert build_npi(base).startswith("2")


@given(st.integers(0, 99_999_999), st.integers(0, 9), st.integers(1, 9))
def test_rejects_any_wrong_digit(base: int, position: int, offset: int) -> None:
    number = build_npi(base)
    wrong_digit = str((int(number[position]) + offset) % 10)
    assert not is_valid_npi(number[:position] + wrong_digit + number[position + 1 :])


@pytest.mark.parametrize(
    "text", ["", "123456789", "12345678933", "123456789X", "１２３４５６７８９３"]
)
def test_rejects_other_texts(text: str) -> None:
    assert not is_valid_npi(text)
