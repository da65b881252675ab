"""What makes a physician valid."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.server.physicians.rules import npi_is_valid
from seeds.demo.people import npi


@pytest.mark.parametrize("number", ["1234567893", "1245319599"])
def test_published_examples_are_valid(number: str) -> None:
    assert npi_is_valid(number)


@given(st.integers(0, 99_999_999))
def test_demo_physicians_have_valid_npis_that_begin_with_2(base: int) -> None:
    assert npi_is_valid(npi(base))
    assert npi(base).startswith("2")


@given(st.integers(0, 99_999_999), st.integers(0, 9), st.integers(1, 9))
def test_any_wrong_digit_is_noticed(base: int, place: int, more: int) -> None:
    number = npi(base)
    wrong = str((int(number[place]) + more) % 10)
    assert not npi_is_valid(number[:place] + wrong + number[place + 1 :])


@pytest.mark.parametrize(
    "text", ["", "123456789", "12345678933", "123456789X", "１２３４５６７８９３"]
)
def test_anything_else_is_none(text: str) -> None:
    assert not npi_is_valid(text)
