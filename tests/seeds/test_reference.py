"""Reference data: complete, consistent, and with real codes."""

import re
from collections import Counter, defaultdict
from datetime import date
from itertools import pairwise

import pytest

from app.contract.enumerations import Gender, ResultKind, ResultType
from app.server.results.clinical.rules import NUMERIC_TYPES
from seeds.reference import (
    OTHER_BILL_TYPE,
    list_bill_types,
    list_containers,
    list_diagnoses,
    list_diagnosis_terms,
    list_lab_tests,
    list_medications,
    list_panel_members,
    list_payers,
    list_reference_ranges,
    list_test_codes,
    list_test_limits,
    list_zip_codes,
    toxicology,
)
from seeds.reference.catalog import find_range
from seeds.reference.files import FOLDER, read_rows

CATALOG = {test.code: test for test in list_lab_tests()}
TYPES_WITH_NUMBERS = NUMERIC_TYPES | {
    ResultType.SPECIFIC_CUT_OFF,
    ResultType.OPEN_RESULT_WITH_UNIT,
}


def is_luhn_valid(digits: str) -> bool:
    """Whether the last digit is the Luhn check digit (mod 10) of the others."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


class TestCatalog:
    def test_offers_at_least_150_orderable_tests_and_the_usual_panels(self) -> None:
        assert sum(test.orderable for test in CATALOG.values()) >= 150
        panels = {code for code, test in CATALOG.items() if test.is_panel}
        assert panels >= {
            "CBCD",
            "CMP",
            "BMP",
            "LIPID",
            "HEP",
            "RENAL",
            "THYR",
            "UA",
            "IRONP",
            "COAG",
            "LYTES",
            "HEPAC",
        }

    def test_names_each_test_once(self) -> None:
        assert len(CATALOG) == len(list_lab_tests())
        assert max(Counter(test.name for test in list_lab_tests()).values()) == 1

    def test_former_codes_lead_to_tests_and_differ_from_their_own_codes(self) -> None:
        codes = list_test_codes()
        assert {row.test for row in codes} <= {c for c, test in CATALOG.items() if test.orderable}
        assert not {row.code for row in codes} & set(CATALOG)
        assert max(Counter(row.code for row in codes).values()) > 1

    def test_everyday_words_lead_to_billable_codes(self) -> None:
        terms = list_diagnosis_terms()
        assert set(terms.values()) <= {row.code for row in list_diagnoses()}
        assert all(term == term.upper().strip() for term in terms)
        assert [terms[word] for word in ("HYPERTENSION", "UTI", "DIABETES")] == [
            "I10",
            "N39.0",
            "E11.9",
        ]

    def test_codes_fit_barcodes_and_fields(self) -> None:
        assert all(re.fullmatch(r"[A-Z0-9-]{1,8}", code) for code in CATALOG)

    def test_loinc_codes_have_valid_check_digits(self) -> None:
        codes = [test.loinc for test in list_lab_tests() if test.loinc]
        assert len(codes) >= 200
        assert len(set(codes)) == len(codes)
        for code in codes:
            assert re.fullmatch(r"\d{3,7}-\d", code)
            assert is_luhn_valid(code.replace("-", "")), code

    def test_license_notice_of_loinc_ships_with_its_codes(self) -> None:
        notice = (FOLDER / "LOINC-NOTICE.md").read_text(encoding="utf-8")
        assert "http://loinc.org/license" in notice

    def test_every_test_has_specimen_and_container(self) -> None:
        assert all(test.specimen and test.container for test in list_lab_tests())

    def test_every_required_volume_has_a_container_with_a_volume(self) -> None:
        volumes = {container.name: container.volume_ml for container in list_containers()}
        tests = [test for test in list_lab_tests() if test.required_ml is not None]
        assert len(tests) > 150
        assert all(0 < test.required_ml <= volumes[test.container] for test in tests)
        assert set(volumes) <= {test.container for test in list_lab_tests()}

    def test_choices_contain_the_normal_values(self) -> None:
        for test in list_lab_tests():
            assert set(test.normal_choices) <= set(test.choices)
            assert bool(test.choices) == (
                test.result_type in (ResultType.ALPHA_RESULTS, ResultType.ALPHA_MICROBIOLOGY)
            )

    def test_numeric_tests_have_a_number_of_decimals(self) -> None:
        for test in list_lab_tests():
            assert (test.decimals is not None) == (test.result_type in NUMERIC_TYPES)

    def test_every_type_of_result_occurs_in_its_family(self) -> None:
        types = {
            kind: {test.result_type for test in list_lab_tests() if test.kind is kind}
            for kind in (ResultKind.CLINICAL, ResultKind.MICROBIOLOGY)
        }
        cultures = {ResultType.MICROBIOLOGY, ResultType.ALPHA_MICROBIOLOGY}
        assert types == {
            ResultKind.CLINICAL: set(ResultType) - cultures,
            ResultKind.MICROBIOLOGY: cultures,
        }

    def test_tests_have_the_listed_methods(self) -> None:
        methods = {row["test"]: row["method"] for row in read_rows("test_methods.csv")}
        assert {test.code: test.method for test in list_lab_tests() if test.method} == methods

    def test_every_kind_of_result_occurs(self) -> None:
        assert {test.kind.value for test in list_lab_tests()} == {
            "clinical",
            "microbiology",
            "toxicology",
            "pathology",
        }


class TestPanels:
    def test_panels_have_existing_members_that_are_not_panels(self) -> None:
        members = defaultdict(list)
        for row in list_panel_members():
            assert CATALOG[row.panel].is_panel
            assert not CATALOG[row.test].is_panel
            members[row.panel].append(row)
        assert set(members) == {code for code, test in CATALOG.items() if test.is_panel}
        for rows in members.values():
            assert [row.position for row in rows] == list(range(1, len(rows) + 1))
            assert len({row.test for row in rows}) == len(rows)

    def test_panels_contain_every_test_that_cannot_be_ordered_alone(self) -> None:
        member_codes = {row.test for row in list_panel_members()}
        assert all(test.orderable or test.code in member_codes for test in list_lab_tests())


class TestLimits:
    def test_every_test_with_numbers_has_limits(self) -> None:
        codes = {
            code
            for code, test in CATALOG.items()
            if test.result_type in TYPES_WITH_NUMBERS and test.kind is ResultKind.CLINICAL
        }
        codes |= {
            row.test for row in toxicology.list_toxicology_tests() if not CATALOG[row.test].choices
        }
        assert {row.test for row in list_test_limits()} == codes

    def test_limits_enclose_each_other_and_every_range(self) -> None:
        ranges = defaultdict(list)
        for row in list_reference_ranges():
            ranges[row.test].append(row)
        for limits in list_test_limits():
            low, high = limits.plausible_low, limits.plausible_high
            ends = [limits.possible_low, low, high, limits.possible_high]
            known_ends = [end for end in ends if end is not None]
            assert known_ends == sorted(known_ends), limits.test
            for span in ranges[limits.test]:
                for value in (span.low, span.high, span.critical_low, span.critical_high):
                    assert value is None or low is None or low <= value, limits.test
                    assert value is None or high is None or value <= high, limits.test

    def test_bounds_enclose_cut_offs_and_limits_of_valid_specimens(self) -> None:
        bounds = {row.test: row for row in list_test_limits()}
        for row in toxicology.list_toxicology_tests():
            if row.test not in bounds:
                continue
            low, high = bounds[row.test].plausible_low, bounds[row.test].plausible_high
            for value in (row.cut_off, row.low, row.high):
                assert value is None or low is None or low < value, row.test
                assert value is None or high is None or value < high, row.test

    def test_delta_limits_have_a_percentage_and_a_number_of_days(self) -> None:
        for row in list_test_limits():
            assert (row.delta_percent is None) == (row.delta_days is None)


class TestRanges:
    def test_ranges_belong_to_tests_with_numbers(self) -> None:
        types_with_ranges = TYPES_WITH_NUMBERS | {ResultType.TITER}
        for row in list_reference_ranges():
            assert CATALOG[row.test].result_type in types_with_ranges

    def test_ranges_are_in_order(self) -> None:
        for row in list_reference_ranges():
            limits = [row.critical_low, row.low, row.high, row.critical_high]
            known_limits = [limit for limit in limits if limit is not None]
            assert known_limits == sorted(known_limits), row
            assert row.age_from_days < row.age_to_days
            assert row.low is not None or row.high is not None

    def test_ranges_never_overlap_for_one_person(self) -> None:
        for gender in Gender:
            ranges = defaultdict(list)
            for row in list_reference_ranges():
                if row.gender in (None, gender):
                    ranges[row.test].append(row)
            for rows in ranges.values():
                rows.sort(key=lambda row: row.age_from_days)
                for before, after in pairwise(rows):
                    assert before.age_to_days <= after.age_from_days

    def test_ranges_are_marked_as_invented(self) -> None:
        assert all(row.invented for row in list_reference_ranges())

    def test_ranges_differ_by_sex_and_age(self) -> None:
        age = 40 * 365
        men, women = find_range("HGB", Gender.MALE, age), find_range("HGB", Gender.FEMALE, age)
        child = find_range("HGB", Gender.MALE, 5 * 365)
        assert men is not None
        assert women is not None
        assert child is not None
        assert len({men.low, women.low, child.low}) == 3
        assert find_range("HGB", Gender.UNKNOWN, age) is None


class TestDiagnoses:
    ROWS = tuple(list_diagnoses())

    def test_catalog_has_the_complete_release_of_diagnoses(self) -> None:
        assert len(self.ROWS) > 70_000
        assert len({row.code for row in self.ROWS}) == len(self.ROWS)
        shape = re.compile(r"[A-Z][0-9A-Z]{2}(\.[0-9A-Z]{1,4})?")
        assert all(shape.fullmatch(row.code) for row in self.ROWS)

    def test_diagnoses_are_billable_leaves_only(self) -> None:
        codes = {row.code for row in self.ROWS}
        assert "E11.9" in codes
        assert "I10" in codes
        assert "E11" not in codes
        assert "S72.001" not in codes
        assert "S72.001A" in codes

    def test_diagnoses_match_with_and_without_the_dot(self) -> None:
        row = next(row for row in self.ROWS if row.code == "E11.9")
        assert "E11.9" in row.search_text
        assert "E119" in row.search_text

    def test_diagnoses_have_a_first_valid_day(self) -> None:
        assert {(row.valid_from, row.valid_to) for row in self.ROWS} == {(date(2015, 10, 1), None)}


class TestZipCodes:
    ROWS = tuple(list_zip_codes())

    def test_zip_codes_have_five_digits_and_are_unique(self) -> None:
        assert len(self.ROWS) > 40_000
        assert len({row.code for row in self.ROWS}) == len(self.ROWS)
        assert all(re.fullmatch(r"\d{5}", row.code) for row in self.ROWS)

    @pytest.mark.parametrize(
        ("code", "city", "state"), [("60601", "CHICAGO", "IL"), ("10001", "NEW YORK", "NY")]
    )
    def test_zip_codes_have_their_city_and_state(self, code: str, city: str, state: str) -> None:
        assert next(row for row in self.ROWS if row.code == code).city == city
        assert next(row for row in self.ROWS if row.code == code).state == state


class TestNames:
    def test_payers_are_distinct_and_mark_medicare_part_b(self) -> None:
        names = [row.name for row in list_payers()]
        assert len(set(names)) == len(names) >= 60
        assert any(row.medicare_part_b for row in list_payers())
        part_b = {row.name for row in list_payers() if row.medicare_part_b}
        assert part_b == {name for name in names if "PART B" in name or "RAILROAD" in name}

    def test_every_payer_belongs_to_a_bill_type(self) -> None:
        assert len(set(list_bill_types())) == len(list_bill_types())
        assert OTHER_BILL_TYPE in list_bill_types()
        assert {row.bill_type for row in list_payers()} <= set(list_bill_types())
        assert {row.bill_type for row in list_payers() if row.medicare_part_b} == {"MEDICARE"}

    def test_medications_are_distinct_and_sorted(self) -> None:
        assert len(set(list_medications())) == len(list_medications()) >= 200
        assert list(list_medications()) == sorted(list_medications())
