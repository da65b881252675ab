"""Rules for insurance rows and payers."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract import messages
from app.contract.choices import RELATIONSHIPS
from app.contract.enumerations import Gender
from app.server.billing import rules
from app.server.billing.rules import SELF, Coverage, Holder
from seeds.reference import list_payers

TODAY = date(2026, 11, 21)
HOLDER = Holder("LEE", "ANN", None, date(1980, 5, 6), "FEMALE", "1 MAIN ST", 7, "1234")
VALID = Coverage(bill_type_id=1, payer_id=2, insurance_id="ABC1")
NAMES = [row.name for row in list_payers()]

words = st.none() | st.text(max_size=30)
days = st.dates(date(1900, 1, 1), TODAY)
rows = st.builds(
    Coverage,
    id=st.none() | st.integers(1, 99),
    bill_type_id=st.none() | st.integers(1, 9),
    payer_id=st.none() | st.integers(1, 9),
    insurance_id=words,
    group_number=words,
    relationship=st.none() | st.sampled_from(RELATIONSHIPS),
    different_than_patient=st.booleans(),
    last_name=words,
    first_name=words,
    middle_name=words,
    birth_date=st.none() | days,
    gender=st.none() | st.sampled_from([g.value for g in Gender]),
    phone=words,
    address=words,
    zip_code_id=st.none() | st.integers(1, 50_000),
    zip_code_plus4=words,
)
holders = st.builds(
    Holder,
    last_name=st.text(min_size=1, max_size=20),
    first_name=st.text(min_size=1, max_size=20),
    middle_name=words,
    birth_date=days,
    gender=st.sampled_from([g.value for g in Gender]),
    address=words,
    zip_code_id=st.none() | st.integers(1, 50_000),
    zip_code_plus4=words,
)


def validate_by_field(row: Coverage) -> dict[str, str]:
    """Validate a normalized row, and return the messages by field."""
    return {e.field: e.message for e in rules.validate_row(rules.normalize_coverage(row), TODAY)}


class TestCopiedValues:
    """O 5: 'Insurance rows with relationship SELF copy the patient's ...'."""

    @given(rows, holders)
    def test_self_copies_name_birth_date_gender_and_address(
        self, row: Coverage, holder: Holder
    ) -> None:
        filled_row = rules.fill_from_holder(replace(row, relationship=SELF), holder)
        names = ("last_name", "first_name", "middle_name", "birth_date", "gender", "address")
        assert [getattr(filled_row, name) for name in names] == [
            getattr(holder, name) for name in names
        ]

    @given(rows, holders)
    def test_other_relationships_keep_their_own_values(self, row: Coverage, holder: Holder) -> None:
        row = replace(row, relationship="SPOUSE")
        filled_row = rules.fill_from_holder(row, holder)
        zip_codes = {"zip_code_id": None, "zip_code_plus4": None}
        assert replace(filled_row, **zip_codes) == replace(row, **zip_codes)

    @given(rows, holders)
    def test_copies_the_zip_code_unless_it_differs(self, row: Coverage, holder: Holder) -> None:
        filled_row = rules.fill_from_holder(row, holder)
        source = row if row.different_than_patient else holder
        assert (filled_row.zip_code_id, filled_row.zip_code_plus4) == (
            source.zip_code_id,
            source.zip_code_plus4,
        )

    @given(rows, holders, holders)
    def test_a_row_follows_changes_of_the_patient(
        self, row: Coverage, before: Holder, now: Holder
    ) -> None:
        filled_row = rules.fill_from_holder(rules.fill_from_holder(row, before), now)
        assert filled_row == rules.fill_from_holder(row, now)

    @given(rows, holders)
    def test_stripping_copied_values_loses_nothing(self, row: Coverage, holder: Holder) -> None:
        stored_row = rules.strip_holder_values(rules.fill_from_holder(row, holder))
        assert stored_row == rules.strip_holder_values(row)
        assert rules.fill_from_holder(stored_row, holder) == rules.fill_from_holder(row, holder)

    @given(rows, holders)
    def test_keeps_the_values_of_the_row(self, row: Coverage, holder: Holder) -> None:
        filled_row = rules.fill_from_holder(row, holder)
        names = ("id", "payer_id", "bill_type_id", "insurance_id", "group_number", "phone")
        assert [getattr(filled_row, n) for n in names] == [getattr(row, n) for n in names]


class TestMissingInformation:
    """O 5: 'A row is flagged as missing information if ...'."""

    def test_a_complete_patient_makes_a_complete_self_row(self) -> None:
        row = rules.fill_from_holder(replace(VALID, relationship=SELF), HOLDER)
        assert not rules.has_missing_information(row)

    @pytest.mark.parametrize(
        "name",
        [
            "last_name",
            "first_name",
            "address",
            "birth_date",
            "gender",
            "zip_code_id",
            "relationship",
        ],
    )
    def test_flags_each_value_that_a_claim_needs(self, name: str) -> None:
        complete = rules.fill_from_holder(replace(VALID, relationship=SELF), HOLDER)
        assert rules.has_missing_information(replace(complete, **{name: None}))

    @pytest.mark.parametrize("name", ["middle_name", "group_number", "phone", "zip_code_plus4"])
    def test_does_not_flag_other_values(self, name: str) -> None:
        complete = rules.fill_from_holder(replace(VALID, relationship=SELF), HOLDER)
        assert not rules.has_missing_information(replace(complete, **{name: None}))

    @given(rows, holders)
    def test_missing_information_is_not_an_error(self, row: Coverage, holder: Holder) -> None:
        incomplete_row = replace(
            VALID, relationship=None, different_than_patient=row.different_than_patient
        )
        assert rules.has_missing_information(rules.fill_from_holder(incomplete_row, holder))
        assert rules.validate_row(incomplete_row, TODAY) == []


class TestChecks:
    """Errors of a row."""

    @pytest.mark.parametrize(
        ("name", "field", "label"),
        [
            ("insurance_id", "insuranceId", "Insurance Id"),
            ("payer_id", "payerId", "Payer"),
            ("bill_type_id", "billTypeId", "Bill Type"),
        ],
    )
    def test_requires_insurance_id_payer_and_bill_type(
        self, name: str, field: str, label: str
    ) -> None:
        text = messages.SELECTION_REQUIRED.format(label=label)
        assert validate_by_field(replace(VALID, **{name: None})) == {field: text}

    @given(st.text(alphabet=" \t\n\x00\x1b", max_size=9))
    def test_a_blank_insurance_id_is_missing(self, blank: str) -> None:
        assert "insuranceId" in validate_by_field(replace(VALID, insurance_id=blank))

    @given(st.dates())
    def test_accepts_birth_dates_from_1900_until_today(self, born: date) -> None:
        is_rejected = "birthDate" in validate_by_field(replace(VALID, birth_date=born))
        assert is_rejected is not (date(1900, 1, 1) <= born <= TODAY)

    def test_the_ends_of_the_range_are_valid(self) -> None:
        for born in (date(1900, 1, 1), TODAY):
            assert validate_by_field(replace(VALID, birth_date=born)) == {}
        for born in (date(1899, 12, 31), TODAY + timedelta(days=1)):
            assert validate_by_field(replace(VALID, birth_date=born)) == {
                "birthDate": messages.BIRTH_DATE_OUT_OF_RANGE
            }

    @given(st.integers(0, 9_999_999_999), st.sampled_from(["{}-{}-{}", "({}) {}-{}", "{}{}{}"]))
    def test_masks_ten_digits_in_any_format(self, number: int, shape: str) -> None:
        text = f"{number:010d}"
        typed_text = shape.format(text[:3], text[3:6], text[6:])
        row = rules.normalize_coverage(replace(VALID, phone=typed_text))
        assert row.phone == f"{text[:3]}-{text[3:6]}-{text[6:]}"
        assert rules.validate_row(row, TODAY) == []

    @given(st.text(alphabet="0123456789", min_size=1, max_size=20).filter(lambda t: len(t) != 10))
    def test_rejects_phone_numbers_without_ten_digits(self, text: str) -> None:
        assert validate_by_field(replace(VALID, phone=text)) == {"phone": messages.PHONE_INVALID}

    def test_rejects_digits_of_other_scripts(self) -> None:
        assert "phone" in validate_by_field(replace(VALID, phone="٣١٢٥٥٥٠١٠١"))

    @given(st.text(max_size=12))
    def test_relationship_and_gender_are_closed_choices(self, text: str) -> None:
        errors = validate_by_field(replace(VALID, relationship=text, gender=text))
        value = rules.normalize_coverage(replace(VALID, relationship=text)).relationship
        assert ("relationship" in errors) == (value is not None and value not in RELATIONSHIPS)
        assert ("gender" in errors) == (value is not None and value not in set(Gender))
        assert set(errors.values()) <= {messages.VALUE_INVALID}

    @pytest.mark.parametrize("value", ["123", "12345", "abcd"])
    def test_an_extension_has_exactly_four_digits(self, value: str) -> None:
        assert validate_by_field(replace(VALID, zip_code_plus4="1234")) == {}
        assert validate_by_field(replace(VALID, zip_code_plus4=value)) == {
            "zipCodePlus4": messages.ZIP_CODE_PLUS4_INVALID
        }

    @pytest.mark.parametrize("text", ["self", " Spouse ", "FATHER"])
    def test_case_and_blanks_do_not_matter(self, text: str) -> None:
        assert validate_by_field(replace(VALID, relationship=text)) == {}

    @pytest.mark.parametrize(
        ("name", "field", "limit"),
        [
            ("insurance_id", "insuranceId", 50),
            ("group_number", "groupNumber", 50),
            ("last_name", "lastName", 100),
            ("first_name", "firstName", 100),
            ("middle_name", "middleName", 100),
            ("address", "address", 200),
        ],
    )
    def test_limits_the_length_of_texts(self, name: str, field: str, limit: int) -> None:
        assert validate_by_field(replace(VALID, **{name: "X" * limit})) == {}
        assert validate_by_field(replace(VALID, **{name: "X" * (limit + 1)})) == {
            field: messages.VALUE_TOO_LONG.format(max=limit)
        }


class TestNormalizing:
    """Normalizing a row for storage."""

    def test_normalizes_every_field(self) -> None:
        typed_coverage = Coverage(
            id=9,
            bill_type_id=1,
            payer_id=2,
            insurance_id=" abc1 ",
            group_number="g7",
            relationship="self",
            different_than_patient=True,
            last_name="lee",
            first_name="ann",
            middle_name="b",
            birth_date=TODAY,
            gender="female",
            phone="3125550101",
            address="1 main st",
            zip_code_id=7,
            zip_code_plus4="-1234",
        )
        assert rules.normalize_coverage(typed_coverage) == Coverage(
            id=9,
            bill_type_id=1,
            payer_id=2,
            insurance_id="ABC1",
            group_number="G7",
            relationship="SELF",
            different_than_patient=True,
            last_name="LEE",
            first_name="ANN",
            middle_name="B",
            birth_date=TODAY,
            gender="FEMALE",
            phone="312-555-0101",
            address="1 MAIN ST",
            zip_code_id=7,
            zip_code_plus4="1234",
        )
        assert rules.normalize_coverage(Coverage(zip_code_plus4=" x ")).zip_code_plus4 == "x"

    @given(rows)
    def test_upper_cases_names_numbers_and_address(self, row: Coverage) -> None:
        normalized_row = rules.normalize_coverage(row)
        for text in (
            normalized_row.insurance_id,
            normalized_row.group_number,
            normalized_row.last_name,
            normalized_row.address,
        ):
            assert text is None or (text == text.upper() and text.strip() and "\x00" not in text)

    @given(rows)
    def test_normalizing_is_idempotent(self, row: Coverage) -> None:
        once = rules.normalize_coverage(row)
        assert rules.normalize_coverage(once) == once

    @given(st.lists(st.integers(), max_size=120))
    def test_numbers_rows_from_one(self, items: list[int]) -> None:
        numbered_rows = rules.number_rows(items)
        assert [n for n, _ in numbered_rows] == list(range(1, len(items) + 1))
        assert [row for _, row in numbered_rows] == items


class TestBestMatch:
    """The payer whose name is most like a text (GET .../payers/best-match)."""

    @given(st.sampled_from(NAMES), st.randoms())
    def test_an_exact_name_is_always_chosen(self, name: str, random) -> None:
        shuffled_names = list(NAMES)
        random.shuffle(shuffled_names)
        for text in (name, name.lower(), f"  {name} "):
            index = rules.find_best_match(text, shuffled_names)
            assert index is not None
            assert shuffled_names[index] == name

    @given(st.lists(st.text(max_size=20), max_size=8), st.text(max_size=20))
    def test_an_exact_name_is_chosen_whatever_the_names_are(
        self, names: list[str], text: str
    ) -> None:
        name = rules.normalize_coverage(replace(VALID, last_name=text)).last_name
        if name is None:
            assert rules.find_best_match(text, names) is None
        else:
            index = rules.find_best_match(text, [*names, name])
            assert index is not None
            assert [*names, name][index] == name

    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ("aetn", "AETNA"),
            ("The Aetna, Inc.", "AETNA"),
            ("United Health Care", "UNITED HEALTHCARE"),
            ("UHC", "UNITED HEALTHCARE"),
            ("bcbs of illinois", "BLUE CROSS BLUE SHIELD OF ILLINOIS"),
            ("Blue Cross & Blue Shield of Texas", "BLUE CROSS BLUE SHIELD OF TEXAS"),
            ("MEDICARE PART B NOVITAS", "MEDICARE PART B - NOVITAS SOLUTIONS"),
            ("Ciggna", "CIGNA"),
            ("kaiser permanante", "KAISER PERMANENTE"),
        ],
    )
    def test_finds_common_spellings(self, text: str, name: str) -> None:
        index = rules.find_best_match(text, NAMES)
        assert index is not None
        assert NAMES[index] == name

    @pytest.mark.parametrize(
        "text", ["", "  ", "\x00", "XYZZY MUTUAL", "???", "a", "ΑΒΓΔ", "1234567", "THE INC"]
    )
    def test_finds_nothing_for_unrelated_names(self, text: str) -> None:
        assert rules.find_best_match(text, NAMES) is None

    def test_matches_a_name_up_to_five_times_as_long(self) -> None:
        assert rules.find_best_match("ABC", ["ABC DEFGHIJKLMNOPQR"]) == 0
        assert rules.find_best_match("ABC", ["ABC DEFGHIJKLMNOPQRS"]) is None

    def test_a_slash_separates_words(self) -> None:
        assert rules.find_best_match("A/B", ["A B"]) == 0

    @pytest.mark.parametrize(
        ("name", "expanded_name"),
        [
            ("BC/BS OF TEXAS, INC.", "BLUE CROSS BLUE SHIELD OF TEXAS"),
            ("BLUE-CROSS (THE)", "BLUE CROSS"),
            ("A/B", "A/B"),
        ],
    )
    def test_expands_abbreviations(self, name: str, expanded_name: str) -> None:
        assert rules.expand_abbreviations(name) == expanded_name

    @given(st.text(max_size=60))
    def test_the_order_of_the_payers_does_not_matter(self, text: str) -> None:
        index = rules.find_best_match(text, NAMES)
        reversed_index = rules.find_best_match(text, NAMES[::-1])
        assert (index is None) == (reversed_index is None)
        if index is not None and reversed_index is not None:
            assert NAMES[index] == NAMES[::-1][reversed_index]


@given(st.lists(st.none() | st.integers(-3, 9), max_size=8))
def test_sorts_by_order_and_otherwise_by_position(
    orders: list[int | None],
) -> None:
    positions = [i if order is None else order for i, order in enumerate(orders, start=1)]
    indexes = rules.sort_by_order(list(range(len(orders))), orders)
    assert sorted(indexes) == list(range(len(orders)))
    assert [(positions[i], i) for i in indexes] == sorted((positions[i], i) for i in indexes)


def test_rows_with_the_same_order_keep_their_sequence() -> None:
    assert rules.sort_by_order(["b", "a"], [1, 1]) == ["b", "a"]


@pytest.mark.parametrize("orders", [[], [1], [1, 2, 3]])
def test_requires_an_order_per_row(orders: list[int | None]) -> None:
    with pytest.raises(ValueError, match="zip"):
        rules.sort_by_order(["a", "b"], orders)
