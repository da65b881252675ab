"""Rules about toxicology: readings, specimens, and medications (DECISIONS, Results)."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.server.results.toxicology.rules import (
    Reading,
    ReportedDrug,
    ValidityLimit,
    find_detection,
    find_specimen_fault,
    find_unit,
    parse_reading,
    resolve_medication,
    split_unit,
)

NAMES = {
    "VALIUM": ["DIAZEPAM"],
    "PERCOCET": ["OXYCODONE", "ACETAMINOPHEN"],
    "TYLENOL WITH CODEINE": ["CODEINE", "ACETAMINOPHEN"],
}
SUBSTANCES = sorted({substance for substances in NAMES.values() for substance in substances})
NUMBERS = st.decimals(min_value=0, max_value=1000, places=1)


class TestUnit:
    """A unit typed after a number."""

    @pytest.mark.parametrize(
        ("value", "parts"),
        [
            ("120 ng/mL", ("120", "ng/mL")),
            ("<50ng/mL", ("<50", "ng/mL")),
            (" 7.1 pH ", ("7.1", "pH")),
            ("120", ("120", None)),
            ("POSITIVE", ("POSITIVE", None)),
            ("1,000", ("1,000", None)),
            ("5 6", ("5 6", None)),
            ("", ("", None)),
        ],
    )
    def test_is_split_from_its_number(self, value: str, parts: tuple[str, str | None]) -> None:
        assert split_unit(value) == parts

    @pytest.mark.parametrize("value", [None, "120", "<50"])
    def test_belongs_to_a_number(self, value: str | None) -> None:
        assert find_unit(value, "ng/mL") == "ng/mL"
        assert find_unit(value, None) is None

    def test_a_word_has_none(self) -> None:
        assert find_unit("NEGATIVE", "ng/mL") is None


class TestReading:
    """The relation of an entered result to its cut-off."""

    @pytest.mark.parametrize(
        ("reading", "is_detected"),
        [
            (Reading.DETECTED, True),
            (Reading.NOT_DETECTED, False),
            (Reading.UNCLEAR, None),
            (Reading.INVALID, None),
        ],
    )
    def test_says_whether_a_drug_was_detected(
        self, reading: Reading, is_detected: bool | None
    ) -> None:
        assert find_detection(reading) is is_detected

    @pytest.mark.parametrize(
        ("value", "reading"),
        [
            ("49.9", Reading.NOT_DETECTED),
            ("50", Reading.DETECTED),
            ("51", Reading.DETECTED),
            ("<50", Reading.NOT_DETECTED),
            ("<49", Reading.NOT_DETECTED),
            ("<51", Reading.UNCLEAR),
            ("<=49", Reading.NOT_DETECTED),
            ("<=50", Reading.UNCLEAR),
            (">50", Reading.DETECTED),
            (">=50", Reading.DETECTED),
            (">49", Reading.UNCLEAR),
            (">=49", Reading.UNCLEAR),
            ("negative", Reading.NOT_DETECTED),
            ("Not Detected", Reading.NOT_DETECTED),
            ("positive", Reading.DETECTED),
            ("DETECTED", Reading.DETECTED),
            ("50 ng/mL", Reading.INVALID),
            ("maybe", Reading.INVALID),
            ("-5", Reading.INVALID),
        ],
    )
    def test_compares_with_a_cut_off_of_50(self, value: str, reading: Reading) -> None:
        assert parse_reading(value, Decimal(50)) is reading

    def test_a_number_without_a_cut_off_is_unclear(self) -> None:
        assert parse_reading("5", None) is Reading.UNCLEAR
        assert parse_reading("NEGATIVE", None) is Reading.NOT_DETECTED

    @given(
        number=NUMBERS,
        value=NUMBERS,
        cut_off=NUMBERS,
        sign=st.sampled_from(["<", "<=", ">", ">="]),
    )
    def test_a_signed_reading_is_true_of_every_value_it_can_mean(
        self, number: Decimal, value: Decimal, cut_off: Decimal, sign: str
    ) -> None:
        can_mean = {
            "<": value < number,
            "<=": value <= number,
            ">": value > number,
            ">=": value >= number,
        }[sign]
        reading = parse_reading(f"{sign}{number}", cut_off)
        if can_mean and reading is not Reading.UNCLEAR:
            assert parse_reading(str(value), cut_off) is reading


class TestSpecimen:
    """Whether a specimen is valid by creatinine, pH, and oxidants."""

    @pytest.mark.parametrize(
        ("value", "fault"),
        [
            ("20", None),
            ("400", None),
            ("19.9", "CREATININE 19.9 is below 20"),
            ("401", "CREATININE 401 is above 400"),
            ("<20", "CREATININE <20 is below 20"),
            ("<300", "CREATININE <300 is below 20"),
            (">100", "CREATININE >100 is above 400"),
            ("NEGATIVE", None),
            ("POSITIVE", "CREATININE is POSITIVE"),
        ],
    )
    def test_names_the_limit(self, value: str, fault: str | None) -> None:
        limit = ValidityLimit(Decimal(20), Decimal(400))
        assert find_specimen_fault("CREATININE", value, limit) == fault

    def test_has_no_fault_without_limits(self) -> None:
        assert find_specimen_fault("PH", "<5", ValidityLimit()) is None
        assert find_specimen_fault("PH", ">5", ValidityLimit()) is None

    def test_a_limit_on_one_side_judges_that_side_only(self) -> None:
        assert find_specimen_fault("PH", ">5", ValidityLimit(low=Decimal(4))) is None
        assert find_specimen_fault("PH", "<5", ValidityLimit(high=Decimal(9))) is None
        assert find_specimen_fault("PH", ">3", ValidityLimit(low=Decimal(4))) == "PH >3 is below 4"

    def test_a_signed_value_may_be_outside(self) -> None:
        limit = ValidityLimit(low=Decimal(4), high=Decimal(9))
        assert find_specimen_fault("PH", "<=5", limit) == "PH <=5 is below 4"
        assert find_specimen_fault("PH", ">=5", limit) == "PH >=5 is above 9"


class TestMedications:
    """Free text becomes ingredients."""

    @pytest.mark.parametrize(
        ("text", "ingredients"),
        [
            ("diazepam", ["DIAZEPAM"]),
            ("Valium 5 mg tablet", ["DIAZEPAM"]),
            ("  valium   PRN ", ["DIAZEPAM"]),
            ("Percocet 5/325", ["OXYCODONE", "ACETAMINOPHEN"]),
            ("OXYCODONE-ACETAMINOPHEN", ["OXYCODONE", "ACETAMINOPHEN"]),
            ("oxycodone 5 mg / acetaminophen 325 mg", ["OXYCODONE", "ACETAMINOPHEN"]),
            ("codeine and diazepam", ["CODEINE", "DIAZEPAM"]),
            ("Tylenol with codeine #3", ["CODEINE", "ACETAMINOPHEN"]),
            ("oxycodone (Percocet)", ["OXYCODONE", "ACETAMINOPHEN"]),
            ("", []),
            ("   ", []),
        ],
    )
    def test_resolves_brands_and_combinations(self, text: str, ingredients: list[str]) -> None:
        drugs = resolve_medication(text, NAMES, SUBSTANCES)
        assert [drug.substance for drug in drugs] == ingredients

    def test_keeps_the_reported_words(self) -> None:
        [drug] = resolve_medication("Valium 5 mg", NAMES, SUBSTANCES)
        assert drug == ReportedDrug("VALIUM 5 MG", "DIAZEPAM")

    @pytest.mark.parametrize("text", ["SUGAR PILL", "X-RAY", "XVALIUM", "5 MG"])
    def test_does_not_guess_unknown_medications(self, text: str) -> None:
        assert resolve_medication(text, NAMES, SUBSTANCES) == [ReportedDrug(text, None)]

    def test_names_the_unknown_part_of_a_combination(self) -> None:
        assert resolve_medication("CODEINE/SUGAR", NAMES, SUBSTANCES) == [
            ReportedDrug("CODEINE/SUGAR", "CODEINE"),
            ReportedDrug("SUGAR", None),
        ]

    @given(text=st.text())
    def test_every_medication_with_a_word_is_listed(self, text: str) -> None:
        drugs = resolve_medication(text, NAMES, SUBSTANCES)
        assert bool(drugs) == bool(text.upper().split())
