"""Addresses: required parts, masks, and 'Same as Client'."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.basics.errors import FieldError
from app.contract import messages
from app.server.addresses import rules
from app.server.addresses.rules import Address, AddressFields

FIELDS = AddressFields("street", "zip", "extra")
COMPLETE = Address("1 MAIN ST", "60601", "1234")

addresses = st.builds(
    Address,
    line=st.none() | st.text(min_size=1, max_size=20),
    zip_code=st.none() | st.from_regex(r"[0-9]{5}", fullmatch=True),
    plus4=st.none() | st.from_regex(r"[0-9]{4}", fullmatch=True),
)


class TestRequired:
    """O 5: 'address, zip code and zip plus 4'."""

    def test_a_complete_address_lacks_nothing(self) -> None:
        assert rules.required_errors(COMPLETE, FIELDS) == []

    @given(addresses)
    def test_each_missing_part_is_named_and_no_other(self, address: Address) -> None:
        parts = {"street": address.line, "zip": address.zip_code, "extra": address.plus4}
        named = {error.field for error in rules.required_errors(address, FIELDS)}
        assert named == {name for name, value in parts.items() if not value}

    def test_the_words_are_the_specifications(self) -> None:
        words = {e.field: e.message for e in rules.required_errors(Address(), FIELDS)}
        assert words["street"] == "Address is required"
        assert words["zip"] == "ZipCode is required"
        assert words["extra"] == messages.SELECTION_REQUIRED.format(label="Zip plus 4")


class TestForm:
    """How an address is kept."""

    @given(st.text(max_size=40), st.text(max_size=8), st.text(max_size=8))
    def test_bringing_it_into_form_twice_changes_nothing(self, line, code, plus4) -> None:
        once = rules.normalised(line, code, plus4)
        assert rules.normalised(once.line, once.zip_code, once.plus4) == once

    @given(st.text(max_size=40))
    def test_a_street_is_upper_case_without_control_characters(self, line: str) -> None:
        kept = rules.normalised(line, None, None).line
        assert kept is None or kept == kept.upper()
        assert not any(ord(c) < 32 for c in kept or "")

    @pytest.mark.parametrize("written", ["1234", " 1234 ", "-1234"])
    def test_an_extension_loses_its_decoration(self, written: str) -> None:
        assert rules.normalised(None, None, written).plus4 == "1234"

    @pytest.mark.parametrize("wrong", ["123", "12345", "12a4x", "١٢٣٤", "abcd"])
    def test_an_extension_has_four_digits(self, wrong: str) -> None:
        address = rules.normalised("X", "60601", wrong)
        errors = rules.format_errors(address, FIELDS)
        assert [(e.field, e.message) for e in errors] == [
            ("extra", messages.ZIP_CODE_PLUS4_INVALID)
        ]

    def test_a_street_has_an_end(self) -> None:
        assert rules.format_errors(Address("X" * 200), FIELDS) == []
        assert rules.format_errors(Address("X" * 201), FIELDS) == [
            FieldError("street", messages.VALUE_TOO_LONG.format(max=200))
        ]

    @pytest.mark.parametrize(
        ("text", "is_code"),
        [("60601", True), ("6060", False), ("606011", False), ("6060a", False), ("٦٠٦٠١", False)],
    )
    def test_a_zip_code_has_five_digits(self, text: str, is_code: bool) -> None:
        assert rules.is_zip_code(text) == is_code

    def test_an_unknown_code_is_named(self) -> None:
        text = messages.ZIP_CODE_UNKNOWN.format(code="0123456789")
        assert rules.unknown_zip_code("zip", "0123456789A") == FieldError("zip", text)

    @given(st.text(max_size=500))
    def test_an_unknown_code_is_not_repeated_at_length(self, code: str) -> None:
        assert len(rules.unknown_zip_code("zip", code).message) < 50


class TestSameAsClient:
    """O 5: ''Same as Client' copies the client's address and zip'."""

    @given(addresses, addresses)
    def test_nothing_that_was_there_is_lost(self, own: Address, other: Address) -> None:
        before = {e.field for e in rules.required_errors(own, FIELDS)}
        after = {e.field for e in rules.required_errors(rules.same_as(own, other), FIELDS)}
        assert after <= before

    @given(addresses, addresses)
    def test_a_client_with_an_address_gives_it(self, own: Address, other: Address) -> None:
        same = rules.same_as(own, other)
        if other.line and other.zip_code:
            assert (same.line, same.zip_code) == (other.line, other.zip_code)
            assert same.plus4 == (other.plus4 or own.plus4)
        else:
            assert same == own

    @given(addresses, addresses)
    def test_copying_twice_is_copying_once(self, own: Address, other: Address) -> None:
        once = rules.same_as(own, other)
        assert rules.same_as(once, other) == once
