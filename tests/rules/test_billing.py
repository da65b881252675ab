"""Insurance rows and payers: what a row takes from its patient, what is refused, what is near."""

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
from seeds.reference import payers

TODAY = date(2026, 11, 21)
HOLDER = Holder("LEE", "ANN", None, date(1980, 5, 6), "FEMALE", "1 MAIN ST", 7, "1234")
VALID = Coverage(bill_type_id=1, payer_id=2, insurance_id="ABC1")
NAMES = [row.name for row in payers()]

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


def fields_of(row: Coverage) -> dict[str, str]:
    """What is refused, by field."""
    return {e.field: e.message for e in rules.row_errors(rules.normalised(row), TODAY)}


class TestWhatIsTakenFromThePatient:
    """O 5: 'Insurance rows with relationship SELF copy the patient's ...'."""

    @given(rows, holders)
    def test_self_has_the_patients_name_birth_date_gender_and_address(
        self, row: Coverage, holder: Holder
    ) -> None:
        settled = rules.settled(replace(row, relationship=SELF), holder)
        taken = ("last_name", "first_name", "middle_name", "birth_date", "gender", "address")
        assert [getattr(settled, name) for name in taken] == [
            getattr(holder, name) for name in taken
        ]

    @given(rows, holders)
    def test_others_keep_their_own(self, row: Coverage, holder: Holder) -> None:
        row = replace(row, relationship="SPOUSE")
        settled = rules.settled(row, holder)
        zip_codes = {"zip_code_id": None, "zip_code_plus4": None}
        assert replace(settled, **zip_codes) == replace(row, **zip_codes)

    @given(rows, holders)
    def test_the_zip_code_is_the_patients_unless_it_differs(
        self, row: Coverage, holder: Holder
    ) -> None:
        settled = rules.settled(row, holder)
        source = row if row.different_than_patient else holder
        assert (settled.zip_code_id, settled.zip_code_plus4) == (
            source.zip_code_id,
            source.zip_code_plus4,
        )

    @given(rows, holders, holders)
    def test_a_row_follows_the_patient_whatever_the_patient_was_before(
        self, row: Coverage, before: Holder, now: Holder
    ) -> None:
        assert rules.settled(rules.settled(row, before), now) == rules.settled(row, now)

    @given(rows, holders)
    def test_nothing_is_lost_by_keeping_only_the_rows_own_part(
        self, row: Coverage, holder: Holder
    ) -> None:
        kept = rules.own_part(rules.settled(row, holder))
        assert kept == rules.own_part(row)
        assert rules.settled(kept, holder) == rules.settled(row, holder)

    @given(rows, holders)
    def test_the_row_stays_the_row(self, row: Coverage, holder: Holder) -> None:
        settled = rules.settled(row, holder)
        stays = ("id", "payer_id", "bill_type_id", "insurance_id", "group_number", "phone")
        assert [getattr(settled, n) for n in stays] == [getattr(row, n) for n in stays]


class TestMissingInformation:
    """O 5: 'A row is flagged as missing information if ...'."""

    def test_a_complete_patient_is_complete_as_self(self) -> None:
        row = rules.settled(replace(VALID, relationship=SELF), HOLDER)
        assert not rules.has_missing_information(row)

    @pytest.mark.parametrize(
        "name",
        [
            *("last_name", "first_name", "address", "birth_date", "gender"),
            *("zip_code_id", "relationship"),
        ],
    )
    def test_each_of_these_is_needed_for_a_claim(self, name: str) -> None:
        complete = rules.settled(replace(VALID, relationship=SELF), HOLDER)
        assert rules.has_missing_information(replace(complete, **{name: None}))

    @pytest.mark.parametrize("name", ["middle_name", "group_number", "phone", "zip_code_plus4"])
    def test_these_are_not(self, name: str) -> None:
        complete = rules.settled(replace(VALID, relationship=SELF), HOLDER)
        assert not rules.has_missing_information(replace(complete, **{name: None}))

    @given(rows, holders)
    def test_missing_information_never_stands_in_the_way_of_saving(
        self, row: Coverage, holder: Holder
    ) -> None:
        bare = replace(VALID, relationship=None, different_than_patient=row.different_than_patient)
        assert rules.has_missing_information(rules.settled(bare, holder))
        assert rules.row_errors(bare, TODAY) == []


class TestChecks:
    """What a row can not be kept with."""

    @pytest.mark.parametrize(
        ("name", "field", "label"),
        [
            ("insurance_id", "insuranceId", "Insurance Id"),
            ("payer_id", "payerId", "Payer"),
            ("bill_type_id", "billTypeId", "Bill Type"),
        ],
    )
    def test_insurance_id_payer_and_bill_type_are_required(
        self, name: str, field: str, label: str
    ) -> None:
        text = messages.SELECTION_REQUIRED.format(label=label)
        assert fields_of(replace(VALID, **{name: None})) == {field: text}

    @given(st.text(alphabet=" \t\n\x00\x1b", max_size=9))
    def test_an_insurance_id_of_nothing_is_none(self, blank: str) -> None:
        assert "insuranceId" in fields_of(replace(VALID, insurance_id=blank))

    @given(st.dates())
    def test_a_birth_date_lies_between_1900_and_today(self, born: date) -> None:
        refused = "birthDate" in fields_of(replace(VALID, birth_date=born))
        assert refused is not (date(1900, 1, 1) <= born <= TODAY)

    def test_the_ends_of_that_range_are_within(self) -> None:
        for born in (date(1900, 1, 1), TODAY):
            assert fields_of(replace(VALID, birth_date=born)) == {}
        for born in (date(1899, 12, 31), TODAY + timedelta(days=1)):
            assert fields_of(replace(VALID, birth_date=born)) == {
                "birthDate": messages.BIRTH_DATE_OUT_OF_RANGE
            }

    @given(st.integers(0, 9_999_999_999), st.sampled_from(["{}-{}-{}", "({}) {}-{}", "{}{}{}"]))
    def test_ten_digits_however_written_become_the_mask(self, number: int, shape: str) -> None:
        text = f"{number:010d}"
        written = shape.format(text[:3], text[3:6], text[6:])
        row = rules.normalised(replace(VALID, phone=written))
        assert row.phone == f"{text[:3]}-{text[3:6]}-{text[6:]}"
        assert rules.row_errors(row, TODAY) == []

    @given(st.text(alphabet="0123456789", min_size=1, max_size=20).filter(lambda t: len(t) != 10))
    def test_other_numbers_of_digits_are_no_phone(self, text: str) -> None:
        assert fields_of(replace(VALID, phone=text)) == {"phone": messages.PHONE_INVALID}

    def test_digits_of_other_scripts_are_no_phone(self) -> None:
        assert "phone" in fields_of(replace(VALID, phone="٣١٢٥٥٥٠١٠١"))

    @given(st.text(max_size=12))
    def test_relationship_and_gender_are_closed_lists(self, text: str) -> None:
        refused = fields_of(replace(VALID, relationship=text, gender=text))
        kept = rules.normalised(replace(VALID, relationship=text)).relationship
        assert ("relationship" in refused) == (kept is not None and kept not in RELATIONSHIPS)
        assert ("gender" in refused) == (kept is not None and kept not in set(Gender))
        assert set(refused.values()) <= {messages.VALUE_INVALID}

    @pytest.mark.parametrize("wrong", ["123", "12345", "abcd"])
    def test_an_extension_has_four_digits(self, wrong: str) -> None:
        assert fields_of(replace(VALID, zip_code_plus4="1234")) == {}
        assert fields_of(replace(VALID, zip_code_plus4=wrong)) == {
            "zipCodePlus4": messages.ZIP_CODE_PLUS4_INVALID
        }

    @pytest.mark.parametrize("written", ["self", " Spouse ", "FATHER"])
    def test_case_and_blanks_do_not_matter(self, written: str) -> None:
        assert fields_of(replace(VALID, relationship=written)) == {}

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
    def test_texts_have_an_end(self, name: str, field: str, limit: int) -> None:
        assert fields_of(replace(VALID, **{name: "X" * limit})) == {}
        assert fields_of(replace(VALID, **{name: "X" * (limit + 1)})) == {
            field: messages.VALUE_TOO_LONG.format(max=limit)
        }


class TestForm:
    """The form in which a row is kept."""

    def test_each_part_has_its_form(self) -> None:
        written = Coverage(
            *(9, 1, 2, " abc1 ", "g7", "self", True, "lee", "ann", "b", TODAY, "female"),
            *("3125550101", "1 main st", 7, "-1234"),
        )
        assert rules.normalised(written) == Coverage(
            *(9, 1, 2, "ABC1", "G7", "SELF", True, "LEE", "ANN", "B", TODAY, "FEMALE"),
            *("312-555-0101", "1 MAIN ST", 7, "1234"),
        )
        assert rules.normalised(Coverage(zip_code_plus4=" x ")).zip_code_plus4 == "x"

    @given(rows)
    def test_names_numbers_and_address_are_upper_case(self, row: Coverage) -> None:
        kept = rules.normalised(row)
        for text in (kept.insurance_id, kept.group_number, kept.last_name, kept.address):
            assert text is None or (text == text.upper() and text.strip() and "\x00" not in text)

    @given(rows)
    def test_bringing_it_into_form_twice_changes_nothing(self, row: Coverage) -> None:
        once = rules.normalised(row)
        assert rules.normalised(once) == once

    @given(st.lists(st.integers(), max_size=120))
    def test_rows_are_numbered_from_one_in_their_order(self, given_rows: list[int]) -> None:
        numbered = rules.numbered(given_rows)
        assert [n for n, _ in numbered] == list(range(1, len(given_rows) + 1))
        assert [row for _, row in numbered] == given_rows


class TestBestMatch:
    """GET .../payers/best-match."""

    @given(st.sampled_from(NAMES), st.randoms())
    def test_an_exact_name_always_wins(self, name: str, random) -> None:
        shuffled = list(NAMES)
        random.shuffle(shuffled)
        for written in (name, name.lower(), f"  {name} "):
            found = rules.best_match(written, shuffled)
            assert found is not None
            assert shuffled[found] == name

    @given(st.lists(st.text(max_size=20), max_size=8), st.text(max_size=20))
    def test_an_exact_name_wins_whatever_the_names_are(self, names: list[str], own: str) -> None:
        wanted = rules.normalised(replace(VALID, last_name=own)).last_name
        if wanted is None:
            assert rules.best_match(own, names) is None
        else:
            found = rules.best_match(own, [*names, wanted])
            assert found is not None
            assert [*names, wanted][found] == wanted

    @pytest.mark.parametrize(
        ("written", "name"),
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
    def test_what_people_write_is_found(self, written: str, name: str) -> None:
        found = rules.best_match(written, NAMES)
        assert found is not None
        assert NAMES[found] == name

    @pytest.mark.parametrize(
        "written", ["", "  ", "\x00", "XYZZY MUTUAL", "???", "a", "ΑΒΓΔ", "1234567", "THE INC"]
    )
    def test_what_is_near_to_nothing_finds_nothing(self, written: str) -> None:
        assert rules.best_match(written, NAMES) is None

    def test_a_short_name_is_found_in_one_five_times_as_long(self) -> None:
        assert rules.best_match("ABC", ["ABC DEFGHIJKLMNOPQR"]) == 0
        assert rules.best_match("ABC", ["ABC DEFGHIJKLMNOPQRS"]) is None

    def test_a_stroke_separates_words(self) -> None:
        assert rules.best_match("A/B", ["A B"]) == 0

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("BC/BS OF TEXAS, INC.", "BLUE CROSS BLUE SHIELD OF TEXAS"),
            ("BLUE-CROSS (THE)", "BLUE CROSS"),
            ("A/B", "A/B"),
        ],
    )
    def test_abbreviations_are_spelled_out(self, name: str, words: str) -> None:
        assert rules.spelled_out(name) == words

    @given(st.text(max_size=60))
    def test_the_order_of_the_payers_does_not_matter(self, written: str) -> None:
        one, other = rules.best_match(written, NAMES), rules.best_match(written, NAMES[::-1])
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert NAMES[one] == NAMES[::-1][other]


@given(st.lists(st.none() | st.integers(-3, 9), max_size=8))
def test_rows_stand_by_their_order_and_those_without_one_by_their_place(
    orders: list[int | None],
) -> None:
    places = [i if order is None else order for i, order in enumerate(orders, start=1)]
    found = rules.by_order(list(range(len(orders))), orders)
    assert sorted(found) == list(range(len(orders)))
    assert [(places[i], i) for i in found] == sorted((places[i], i) for i in found)


def test_rows_with_one_order_stay_as_they_were_sent() -> None:
    assert rules.by_order(["b", "a"], [1, 1]) == ["b", "a"]


@pytest.mark.parametrize("orders", [[], [1], [1, 2, 3]])
def test_every_row_needs_its_order(orders: list[int | None]) -> None:
    with pytest.raises(ValueError, match="zip"):
        rules.by_order(["a", "b"], orders)
