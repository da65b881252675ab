"""Rules for addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.basics.errors import FieldError
from app.contract import messages
from app.server.addresses import rules
from app.server.addresses.rules import Address, AddressFields
from tests.rules.errors import list_errors

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

    def test_accepts_a_complete_address(self) -> None:
        assert rules.validate_required(COMPLETE, FIELDS) == []

    @given(addresses)
    def test_names_each_missing_part_and_no_other(self, address: Address) -> None:
        parts = {"street": address.line, "zip": address.zip_code, "extra": address.plus4}
        missing_parts = {error.field for error in rules.validate_required(address, FIELDS)}
        assert missing_parts == {name for name, value in parts.items() if not value}

    def test_uses_the_messages_of_the_specification(self) -> None:
        error_messages = {e.field: e.message for e in rules.validate_required(Address(), FIELDS)}
        assert error_messages["street"] == "Address is required"
        assert error_messages["zip"] == "ZipCode is required"
        assert error_messages["extra"] == messages.SELECTION_REQUIRED.format(label="Zip plus 4")


class TestNormalizing:
    """Normalizing and validating the parts of an address."""

    @given(st.text(max_size=40), st.text(max_size=8), st.text(max_size=8))
    def test_normalizing_is_idempotent(self, line, code, plus4) -> None:
        once = rules.normalize_address(line, code, plus4)
        assert rules.normalize_address(once.line, once.zip_code, once.plus4) == once

    @given(st.text(max_size=40))
    def test_upper_cases_the_street_and_removes_control_characters(self, line: str) -> None:
        normalized_text = rules.normalize_address(line, None, None).line
        assert normalized_text is None or normalized_text == normalized_text.upper()
        assert not any(ord(c) < 32 for c in normalized_text or "")

    @pytest.mark.parametrize("text", ["1234", " 1234 ", "-1234"])
    def test_reduces_an_extension_to_digits(self, text: str) -> None:
        assert rules.normalize_address(None, None, text).plus4 == "1234"

    @pytest.mark.parametrize("value", ["123", "12345", "12a4x", "١٢٣٤", "abcd"])
    def test_an_extension_has_exactly_four_digits(self, value: str) -> None:
        address = rules.normalize_address("X", "60601", value)
        errors = rules.validate_formats(address, FIELDS)
        assert list_errors(errors) == [("extra", messages.ZIP_CODE_PLUS4_INVALID)]

    def test_limits_the_length_of_a_street(self) -> None:
        assert rules.validate_formats(Address("X" * 200), FIELDS) == []
        assert rules.validate_formats(Address("X" * 201), FIELDS) == [
            FieldError("street", messages.VALUE_TOO_LONG.format(max=200))
        ]

    @pytest.mark.parametrize(
        ("text", "zip_code"),
        [
            ("60601", "60601"),
            (" 60601 ", "60601"),
            ("60601-1234", "60601"),
            *((text, None) for text in ("606011", "6060", "60601-", "60601-12", "6060A", "")),
        ],
    )
    def test_reads_a_zip_code_with_or_without_its_extension(
        self, text: str, zip_code: str | None
    ) -> None:
        assert rules.get_zip_code(text) == zip_code

    @pytest.mark.parametrize(
        ("text", "is_code"),
        [("60601", True), ("6060", False), ("606011", False), ("6060a", False), ("٦٠٦٠١", False)],
    )
    def test_a_zip_code_has_five_digits(self, text: str, is_code: bool) -> None:
        assert rules.is_zip_code(text) == is_code

    def test_an_unknown_code_is_in_the_message(self) -> None:
        text = messages.ZIP_CODE_UNKNOWN.format(code="0123456789")
        assert rules.build_unknown_zip_code_error("zip", "0123456789A") == FieldError("zip", text)

    @given(st.text(max_size=500))
    def test_the_message_shortens_a_long_code(self, code: str) -> None:
        assert len(rules.build_unknown_zip_code_error("zip", code).message) < 50


class TestSameAsClient:
    """O 5: 'Same as Client' copies the client's address and zip."""

    @given(addresses, addresses)
    def test_preserves_required_parts(self, own: Address, client: Address) -> None:
        before = {e.field for e in rules.validate_required(own, FIELDS)}
        after = {
            e.field for e in rules.validate_required(rules.copy_client_address(own, client), FIELDS)
        }
        assert after <= before

    @given(addresses, addresses)
    def test_copies_a_complete_client_address(self, own: Address, client: Address) -> None:
        same = rules.copy_client_address(own, client)
        if client.line and client.zip_code:
            assert (same.line, same.zip_code) == (client.line, client.zip_code)
            assert same.plus4 == (client.plus4 or own.plus4)
        else:
            assert same == own

    @given(addresses, addresses)
    def test_copying_is_idempotent(self, own: Address, client: Address) -> None:
        once = rules.copy_client_address(own, client)
        assert rules.copy_client_address(once, client) == once
