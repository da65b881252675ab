"""Rules for patients and their responsible parties."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from aiosmtplib.email import quote_address
from hypothesis import given
from hypothesis import strategies as st

from app.basics.emails import is_valid_email
from app.basics.errors import FieldError
from app.basics.text import keep_digits, mask_phone, mask_ssn, to_upper_case
from app.contract import messages
from app.contract.choices import GENDER_IDENTITIES, RACES, SEXUAL_ORIENTATIONS
from app.contract.enumerations import Ethnicity, Gender
from app.server.addresses.rules import Address
from app.server.patients import rules
from app.server.patients.rules import Party, Places

TODAY = date(2026, 11, 21)
PARTY = Party(
    Address("1 MAIN ST", "60601", "1234"),
    last_name="LEE",
    first_name="ANN",
    phone="312-555-0101",
)
ids = st.none() | st.integers(1, 4)


class TestRequired:
    """O 5, 'Patient form: Required'."""

    NAMES = ("clientId", "lastName", "firstName", "gender")

    @given(st.sets(st.sampled_from(NAMES)))
    def test_names_each_missing_field_and_no_other(self, absent: set[str]) -> None:
        values: dict[str, object] = {name: "X" for name in self.NAMES if name not in absent}
        assert {e.field for e in rules.validate_required(values)} == absent

    def test_uses_the_messages_of_the_specification(self) -> None:
        messages_by_field = {e.field: e.message for e in rules.validate_required({})}
        assert messages_by_field["lastName"] == "Last Name is required"
        assert messages_by_field["firstName"] == "First Name is required"
        assert messages_by_field["gender"] == "Gender is required"


class TestBirthDate:
    """Between 1900-01-01 and today."""

    @given(st.dates())
    def test_accepts_only_dates_within_the_range(self, born: date) -> None:
        assert (rules.validate_birth_date(born, TODAY) is None) == (
            date(1900, 1, 1) <= born <= TODAY
        )

    @given(st.dates(date(1900, 1, 1), date(2200, 1, 1)))
    def test_accepts_today_and_rejects_tomorrow(self, today: date) -> None:
        assert rules.validate_birth_date(today, today) is None
        assert rules.validate_birth_date(today + timedelta(days=1), today) is not None

    def test_is_required(self) -> None:
        assert rules.validate_birth_date(None, TODAY) == FieldError(
            "birthDate", "Birth Date is required"
        )

    def test_accepts_the_first_day_and_rejects_the_day_before(self) -> None:
        assert rules.validate_birth_date(date(1900, 1, 1), TODAY) is None
        assert rules.validate_birth_date(date(1899, 12, 31), TODAY) == FieldError(
            "birthDate", messages.BIRTH_DATE_OUT_OF_RANGE
        )


class TestFormats:
    """Masks, lengths and closed lists."""

    @given(st.text(max_size=15))
    def test_a_social_security_number_has_nine_digits(self, text: str) -> None:
        is_rejected = bool(rules.validate_formats({"socialSecurityNumber": text}))
        assert is_rejected == (bool(text) and len(keep_digits(text) or "") != 9)

    @given(st.from_regex(r"[0-9]{9}", fullmatch=True))
    def test_the_mask_of_an_ssn_is_reversible(self, number: str) -> None:
        masked_number = mask_ssn(number)
        assert masked_number is not None
        assert len(masked_number) == len("000-00-0000")
        assert keep_digits(masked_number) == number

    @given(st.from_regex(r"[0-9]{10}", fullmatch=True))
    def test_the_mask_of_a_phone_number_is_reversible(self, number: str) -> None:
        assert keep_digits(mask_phone(number)) == number
        assert mask_phone(mask_phone(number)) == mask_phone(number)

    @given(st.text(max_size=20))
    def test_race_is_a_closed_choice(self, text: str) -> None:
        is_rejected = bool(rules.validate_formats({"race": text}))
        assert is_rejected == (bool(text) and text not in RACES)

    @pytest.mark.parametrize(
        ("name", "limit"),
        [
            ("lastName", 100),
            ("firstName", 100),
            ("middleName", 100),
            ("bed", 20),
            ("medicalRecordId", 50),
        ],
    )
    def test_limits_the_length_of_texts(self, name: str, limit: int) -> None:
        assert rules.validate_formats({name: "X" * limit}) == []
        for length in (limit + 1, 10_000):
            assert rules.validate_formats({name: "X" * length}) == [
                FieldError(name, messages.VALUE_TOO_LONG.format(max=limit))
            ]

    def test_validates_form_and_length_of_an_email_address(self) -> None:
        longest = "a" * 308 + "@example.com"
        assert rules.validate_formats({"email": longest}) == []
        assert rules.validate_formats({"email": f"a{longest}"}) == [
            FieldError("email", messages.VALUE_TOO_LONG.format(max=320))
        ]
        assert rules.validate_formats({"email": "ann"}) == [
            FieldError("email", messages.EMAIL_INVALID)
        ]

    @pytest.mark.parametrize(
        ("name", "length", "message"),
        [
            ("socialSecurityNumber", 9, messages.SSN_INVALID),
            ("phone", 10, messages.PHONE_INVALID),
            ("mobile", 10, messages.MOBILE_INVALID),
        ],
    )
    def test_requires_the_exact_number_of_digits(
        self, name: str, length: int, message: str
    ) -> None:
        assert rules.validate_formats({name: "1" * length}) == []
        for value in ("1" * (length - 1), "1" * (length + 1), "none"):
            assert rules.validate_formats({name: value}) == [FieldError(name, message)]

    @pytest.mark.parametrize(
        ("name", "values"),
        [
            ("gender", tuple(Gender)),
            ("race", RACES),
            ("sexualOrientationId", tuple(choice.id for choice in SEXUAL_ORIENTATIONS)),
            ("genderIdentityId", tuple(choice.id for choice in GENDER_IDENTITIES)),
        ],
    )
    def test_accepts_only_the_listed_choices(self, name: str, values: tuple[str, ...]) -> None:
        assert all(rules.validate_formats({name: value}) == [] for value in values)
        assert rules.validate_formats({name: "?"}) == [FieldError(name, messages.VALUE_INVALID)]

    @pytest.mark.parametrize("value", [None, *Ethnicity])
    def test_accepts_the_three_ethnicities(self, value: int | None) -> None:
        assert rules.validate_ethnicity(value) is None

    @pytest.mark.parametrize("value", [-1, 3])
    def test_rejects_other_ethnicities(self, value: int) -> None:
        assert rules.validate_ethnicity(value) == FieldError("ethnicity", messages.VALUE_INVALID)

    def test_requires_an_address(self) -> None:
        assert rules.validate_address(Address("1 MAIN ST", "60601", "1234")) == []
        assert [e.field for e in rules.validate_address(Address())] == [
            "address",
            "zipCodeName",
            "zipCodePlus4",
        ]
        assert rules.validate_address(Address("1 MAIN ST", "60601", "12")) == [
            FieldError("zipCodePlus4", messages.ZIP_CODE_PLUS4_INVALID)
        ]

    @given(st.emails(domains=st.just("example.com")))
    def test_accepts_plain_email_addresses(self, email: str) -> None:
        name = email.rpartition("@")[0]
        if not any(c in name for c in ' ,:;<>()[]"\\'):
            assert is_valid_email(email)

    @pytest.mark.parametrize(
        "email",
        [
            "",
            "ann",
            "ann@",
            "@lab.test",
            "ann@lab",
            "ann@.test",
            "ann@lab.",
            "a b@lab.test",
            "a@b@lab.test",
            "@a@lab.test",
            "a@b.c,d@e.f",
            "a@b.c\nBcc: d@e.f",
            "Ann <a@b.c>",
        ],
    )
    def test_rejects_invalid_and_multiple_email_addresses(self, email: str) -> None:
        assert not is_valid_email(email)

    @pytest.mark.parametrize("template", ["a{}b@lab.test", "ab@la{}b.test"])
    @given(st.characters(codec="utf-8", categories=["Cc", "Cf", "Zs", "Zl", "Zp"]) | st.just(":"))
    def test_rejects_invisible_characters_and_groups(self, template: str, character: str) -> None:
        assert not is_valid_email(template.format(character))

    @given(st.text(st.characters(codec="ascii"), min_size=1))
    def test_mail_programs_parse_the_same_address(self, name: str) -> None:
        address = f"{name}@example.com"
        if is_valid_email(address):
            assert quote_address(address) == f"<{address}>"


class TestPlaces:
    """O 4: client, unit and room belong together."""

    @given(ids, ids, ids, ids, ids, ids, st.booleans())
    def test_accepted_places_belong_together(
        self, client, unit, room, unit_client, room_client, room_unit, has_units
    ) -> None:
        places = Places(
            client_has_units=has_units,
            unit_client_id=unit_client if unit else None,
            room_client_id=room_client if room else None,
            room_unit_id=room_unit if room else None,
        )
        unit = rules.infer_unit(client, unit, places)
        if rules.validate_place(client, unit, room, places) == []:
            assert unit is not None or not has_units
            assert room is None or room_client == client
            assert not (unit and room and room_unit) or room_unit == unit

    def test_a_client_with_units_requires_a_unit(self) -> None:
        (error,) = rules.validate_place(1, None, None, Places(client_has_units=True))
        assert (error.field, error.message) == ("unitId", messages.UNIT_REQUIRED)

    def test_a_room_sets_its_unit(self) -> None:
        places = Places(client_has_units=True, room_client_id=1, room_unit_id=5)
        assert rules.infer_unit(1, None, places) == 5
        assert rules.infer_unit(1, 4, places) == 4
        assert rules.infer_unit(2, None, places) is None

    def test_rejects_a_nonexistent_unit(self) -> None:
        errors = rules.validate_place(1, 9, None, Places(client_has_units=True))
        assert errors == [FieldError("unitId", messages.UNIT_NOT_OF_CLIENT)]

    @pytest.mark.parametrize(
        ("unit", "places", "is_accepted"),
        [
            (
                5,
                Places(client_has_units=True, unit_client_id=1, room_client_id=1, room_unit_id=5),
                True,
            ),
            (5, Places(client_has_units=True, unit_client_id=1, room_client_id=1), True),
            (None, Places(client_has_units=False, room_client_id=1, room_unit_id=5), True),
            (5, Places(client_has_units=True, unit_client_id=1, room_client_id=2), False),
            (
                5,
                Places(client_has_units=True, unit_client_id=1, room_client_id=1, room_unit_id=6),
                False,
            ),
        ],
    )
    def test_a_room_belongs_to_the_client_and_the_unit(
        self, unit: int | None, places: Places, is_accepted: bool
    ) -> None:
        errors = [FieldError("roomId", messages.ROOM_NOT_OF_CLIENT)]
        assert rules.validate_place(1, unit, 7, places) == ([] if is_accepted else errors)


class TestResponsibleParties:
    """O 5, 'Responsible party'."""

    def test_accepts_a_complete_party(self) -> None:
        assert rules.validate_party(rules.normalize_party(PARTY)) == []

    def test_names_all_missing_fields_at_once(self) -> None:
        empty_party = rules.normalize_party(Party(Address()))
        messages_by_field = {e.field: e.message for e in rules.validate_party(empty_party)}
        assert set(messages_by_field) == {
            "lastName",
            "firstName",
            "phone",
            "address",
            "zipCode",
            "zipCodeExtra",
        }
        assert messages_by_field["zipCode"] == "Missing address information"
        assert messages_by_field["lastName"] == "Last Name is required"
        assert messages_by_field["firstName"] == "First Name is required"
        assert messages_by_field["phone"] == messages.SELECTION_REQUIRED.format(label="Phone")

    @pytest.mark.parametrize(
        ("name", "field", "limit"),
        [
            ("last_name", "lastName", 100),
            ("first_name", "firstName", 100),
            ("country", "country", 60),
        ],
    )
    def test_limits_the_length_of_texts(self, name: str, field: str, limit: int) -> None:
        assert rules.validate_party(replace(PARTY, **{name: "X" * limit})) == []
        assert rules.validate_party(replace(PARTY, **{name: "X" * (limit + 1)})) == [
            FieldError(field, messages.VALUE_TOO_LONG.format(max=limit))
        ]

    def test_an_extension_has_four_digits(self) -> None:
        address = replace(PARTY.address, plus4="12")
        assert rules.validate_party(replace(PARTY, address=address)) == [
            FieldError("zipCodeExtra", messages.ZIP_CODE_PLUS4_INVALID)
        ]

    def test_normalizes_every_field(self) -> None:
        typed_party = Party(
            address=Address("1 main st", "60601", "-1234"),
            id=9,
            last_name="lee",
            first_name="ann",
            country="usa",
            phone="3125550101",
            mobile="3125550102",
            fax="3125550103",
        )
        assert rules.normalize_party(typed_party) == Party(
            address=Address("1 MAIN ST", "60601", "1234"),
            id=9,
            last_name="LEE",
            first_name="ANN",
            country="USA",
            phone="312-555-0101",
            mobile="312-555-0102",
            fax="312-555-0103",
        )

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("phone", messages.PHONE_INVALID),
            ("mobile", messages.MOBILE_INVALID),
            ("fax", messages.FAX_INVALID),
        ],
    )
    def test_numbers_have_ten_digits(self, name: str, message: str) -> None:
        values = {**vars(PARTY), name: "12"}
        (error,) = rules.validate_party(rules.normalize_party(Party(**values)))
        assert (error.field, error.message) == (name, message)

    @given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=30))
    def test_upper_cases_names_and_address(self, last: str, first: str, line: str) -> None:
        party = rules.normalize_party(Party(Address(line), last_name=last, first_name=first))
        for text in (party.last_name, party.first_name, party.address.line):
            assert text is None or text == text.upper()
        assert rules.normalize_party(party) == party


class TestMedications:
    """Medications: free text, each once."""

    @given(st.lists(st.none() | st.text(max_size=12), max_size=30))
    def test_stores_each_once_in_order_or_names_the_error(
        self, sent_names: list[str | None]
    ) -> None:
        names, errors = rules.normalize_medications([(None, name) for name in sent_names], {})
        empty_positions = [i for i, name in enumerate(sent_names) if to_upper_case(name) is None]
        assert errors == [
            FieldError(f"medications.{i}.name", messages.VALUE_REQUIRED) for i in empty_positions
        ]
        assert len(set(names)) == len(names)
        assert set(names) == {to_upper_case(name) for name in sent_names} - {None}
        first_positions = [
            next(i for i, s in enumerate(sent_names) if to_upper_case(s) == name) for name in names
        ]
        assert first_positions == sorted(first_positions)

    def test_names_the_position_of_a_name_that_is_too_long(self) -> None:
        _, errors = rules.normalize_medications([(None, "Y" * 200), (None, "X" * 201)], {})
        text = messages.VALUE_TOO_LONG.format(max=200)
        assert errors == [FieldError("medications.1.name", text)]

    def test_an_id_alone_selects_a_current_medication(self) -> None:
        current_names = {5: "ASPIRIN"}
        assert rules.normalize_medications([(5, None), (None, "b")], current_names) == (
            ["ASPIRIN", "B"],
            [],
        )
        assert rules.normalize_medications([(5, "c")], current_names) == (["C"], [])
        for item, message in (
            ((6, None), messages.NOT_FOUND),
            ((5, " "), messages.VALUE_REQUIRED),
            ((None, None), messages.VALUE_REQUIRED),
        ):
            _, errors = rules.normalize_medications([item], current_names)
            assert errors == [FieldError("medications.0.name", message)]


class TestText:
    """Rules of all text fields."""

    @given(st.text(max_size=60))
    def test_removes_control_characters(self, text: str) -> None:
        normalized_text = to_upper_case(text) or ""
        assert not any(ord(c) < 32 or ord(c) == 127 for c in normalized_text)

    @given(st.text(max_size=60))
    def test_upper_casing_is_idempotent(self, text: str) -> None:
        assert to_upper_case(to_upper_case(text)) == to_upper_case(text)

    def test_composes_capitals(self) -> None:
        assert to_upper_case("\u1fd2") == to_upper_case("\u03b9\u0308\u0300") == "\u03aa\u0300"
