"""Rules about cultures: gaps, criticals, labels, and dates (R 4)."""

from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract import messages
from app.contract.enumerations import CultureStage, ResultStatus
from app.server.results.microbiology.rules import (
    CriticalRow,
    Culture,
    compute_status,
    describe_culture,
    find_gaps,
    format_label,
    is_abnormal,
    is_critical,
    is_valid_date,
)
from tests.rules.cultures import (
    AMP,
    COLI,
    CULTURE,
    CULTURES,
    FINAL,
    FLORA,
    LEUKOCYTES,
    NO_GROWTH_YET,
    PRELIMINARY,
    RODS,
    build_susceptibility,
    grow_organisms,
)


class TestGaps:
    """What a culture lacks for its release."""

    def list_fields(self, culture: Culture, stage: CultureStage, **values: object) -> list[str]:
        """Return the fields with a gap."""
        return [gap.field for gap in find_gaps("URINE CULTURE", culture, stage, **values)]

    def test_a_complete_culture_has_no_gaps(self) -> None:
        for stage in CultureStage:
            assert self.list_fields(CULTURE, stage) == []
            assert self.list_fields(replace(CULTURE, organisms=()), stage) == []
            assert self.list_fields(replace(CULTURE, findings=()), stage) == []

    @pytest.mark.parametrize("stage", CultureStage)
    def test_an_empty_culture_has_gaps(self, stage: CultureStage) -> None:
        culture = Culture(comment="Words alone")
        assert self.list_fields(culture, stage) == ["findings"]
        (gap,) = find_gaps("URINE CULTURE", culture, stage)
        assert gap.message == "URINE CULTURE: enter a finding or an organism first"

    @pytest.mark.parametrize("stage", CultureStage)
    def test_an_incomplete_panel_cannot_be_released(self, stage: CultureStage) -> None:
        empty_antibiotic = build_susceptibility("CIP", None, None)
        uninterpreted_antibiotic = build_susceptibility("GEN", None, "4", is_suppressed=True)
        culture = grow_organisms(
            FLORA, replace(COLI, sensitivity=(AMP, empty_antibiotic, uninterpreted_antibiotic))
        )
        gaps = find_gaps("URINE CULTURE", culture, stage)
        assert [(gap.field, gap.message) for gap in gaps] == [
            (
                "organisms.1.sensitivity.1.mic",
                "URINE CULTURE, Escherichia coli, NAME OF CIP: enter a value or an interpretation",
            ),
            (
                "organisms.1.sensitivity.2.mic",
                "URINE CULTURE, Escherichia coli, NAME OF GEN: choose an interpretation",
            ),
        ]

    def test_a_final_culture_has_quantities_of_its_pathogens(self) -> None:
        culture = grow_organisms(replace(FLORA, quantity=None), replace(COLI, quantity=None))
        assert self.list_fields(culture, PRELIMINARY) == []
        [gap] = find_gaps("URINE CULTURE", culture, FINAL)
        assert gap.field == "organisms.1.quantity"
        assert gap.message == messages.ORGANISM_QUANTITY_REQUIRED.format(
            test="URINE CULTURE", organism=COLI.name
        )

    def test_a_final_culture_has_nothing_interim(self) -> None:
        culture = grow_organisms(COLI, RODS, findings=(LEUKOCYTES, NO_GROWTH_YET))
        assert self.list_fields(culture, PRELIMINARY) == []
        gaps = find_gaps("URINE CULTURE", culture, FINAL)
        assert [(gap.field, gap.message) for gap in gaps] == [
            ("organisms.1.code", "URINE CULTURE: 'Gram-negative rods' is not a final result"),
            ("findings", "URINE CULTURE: 'No growth to date' is not a final result"),
        ]

    @pytest.mark.parametrize("stage", CultureStage)
    def test_a_test_with_choices_needs_a_choice(self, stage: CultureStage) -> None:
        chosen_result = Culture(result="DETECTED")
        assert self.list_fields(chosen_result, stage, has_choices=True) == []
        assert self.list_fields(chosen_result, stage) == ["findings"]
        [gap] = find_gaps("MRSA SCREEN", CULTURE, stage, has_choices=True)
        assert gap.field == "result"
        assert gap.message == messages.CULTURE_RESULT_REQUIRED.format(test="MRSA SCREEN")

    def test_a_preliminary_release_cannot_follow_a_final_one(self) -> None:
        [gap] = find_gaps("URINE CULTURE", CULTURE, PRELIMINARY, released_stage=FINAL)
        assert gap.field == "kind"
        assert gap.message == messages.CULTURE_PRELIMINARY_AFTER_FINAL.format(test="URINE CULTURE")
        assert self.list_fields(CULTURE, PRELIMINARY, released_stage=PRELIMINARY) == []
        assert self.list_fields(CULTURE, FINAL, released_stage=FINAL) == []


def test_a_call_names_organisms_then_findings_or_the_result() -> None:
    assert describe_culture(grow_organisms(COLI, RODS, findings=(LEUKOCYTES,))) == ", ".join(
        [COLI.name, RODS.name, LEUKOCYTES.name]
    )
    assert describe_culture(Culture(result="DETECTED")) == "DETECTED"
    assert describe_culture(Culture()) == ""


class TestCritical:
    """Cultures that must be called."""

    @pytest.mark.parametrize(
        ("row", "expected"),
        [
            (CriticalRow(), True),
            (CriticalRow(source="URINE_CC"), True),
            (CriticalRow(source="BLOOD"), False),
            (CriticalRow(applies_to="ECOLI"), True),
            (CriticalRow(applies_to="ENTEROBACTERALES"), True),
            (CriticalRow(applies_to="CAURI"), False),
            (CriticalRow(mark="CRE"), True),
            (CriticalRow(mark="VRE"), False),
            (CriticalRow(finding="GRWBC"), True),
            (CriticalRow(finding="GRGNR"), False),
            (CriticalRow(source="BLOOD", finding="GRWBC"), False),
        ],
    )
    def test_critical_cultures_match_the_table(self, row: CriticalRow, expected: bool) -> None:
        assert is_critical([row], grow_organisms(FLORA, replace(COLI, mark="CRE"))) is expected

    def test_one_organism_must_match_everything_that_a_row_names(self) -> None:
        row = CriticalRow(applies_to="ECOLI", mark="VRE")
        other = replace(COLI, code="EFAEM", group="ENTEROCOCCUS", mark="VRE")
        assert not is_critical([row], grow_organisms(COLI, other))

    def test_flora_does_not_count_as_a_pathogen(self) -> None:
        assert not is_critical([CriticalRow()], grow_organisms(FLORA))
        assert not is_critical([CriticalRow()], grow_organisms())

    def test_some_findings_are_always_critical(self) -> None:
        bacilli = replace(LEUKOCYTES, is_critical=True)
        assert is_critical([], replace(CULTURE, findings=(LEUKOCYTES, bacilli)))
        assert not is_critical([], CULTURE)

    def test_the_lab_can_declare_results_critical(self) -> None:
        culture = Culture(result="Detected")
        assert is_critical([], culture, ["INVALID", "DETECTED"])
        assert not is_critical([], culture, ["INVALID"])
        assert not is_critical([], culture)
        assert not is_critical([], grow_organisms(), ["DETECTED"])

    @given(CULTURES, st.lists(st.sampled_from([CriticalRow(), CriticalRow(source="BLOOD")])))
    def test_more_rows_never_hide_a_critical_culture(
        self, culture: Culture, rows: list[CriticalRow]
    ) -> None:
        assert is_critical([CriticalRow(), *rows], culture) >= is_critical(rows, culture)


class TestAbnormal:
    """Cultures with something to treat."""

    @pytest.mark.parametrize(
        ("culture", "expected"),
        [
            (grow_organisms(COLI), True),
            (grow_organisms(FLORA, COLI), True),
            (grow_organisms(FLORA), False),
            (grow_organisms(), False),
            (Culture(result="DETECTED"), True),
            (Culture(result="NOT DETECTED"), False),
        ],
    )
    def test_abnormal_cultures_have_a_pathogen_or_an_abnormal_result(
        self, culture: Culture, expected: bool
    ) -> None:
        assert is_abnormal(culture, ["NOT DETECTED"]) is expected


class TestLabel:
    """The status on screens (R 4)."""

    @pytest.mark.parametrize(
        ("status", "label"),
        [
            (ResultStatus.PRELIMINARY, "PRELIMINARY"),
            (ResultStatus.UNRELEASED, "PENDING"),
            (ResultStatus.PENDING, "PENDING"),
            (ResultStatus.FINAL, "FINAL"),
            (ResultStatus.CANCELED, "CANCELED"),
        ],
    )
    def test_unreleased_cultures_are_pending(self, status: ResultStatus, label: str) -> None:
        assert format_label(status, is_canceled=False) == label

    @pytest.mark.parametrize("status", ResultStatus)
    def test_canceled_orders_say_so(self, status: ResultStatus) -> None:
        assert format_label(status, is_canceled=True) == "CANCELED"

    @pytest.mark.parametrize(
        ("has_entered", "released_stage", "status"),
        [
            (False, None, ResultStatus.PENDING),
            (True, None, ResultStatus.UNRELEASED),
            (True, PRELIMINARY, ResultStatus.PRELIMINARY),
            (True, FINAL, ResultStatus.FINAL),
            (False, FINAL, ResultStatus.FINAL),
        ],
    )
    def test_the_newest_release_decides(
        self, has_entered: bool, released_stage: CultureStage | None, status: ResultStatus
    ) -> None:
        assert compute_status(has_entered=has_entered, released_stage=released_stage) is status


class TestDates:
    """Dates of a culture (R 4)."""

    @pytest.mark.parametrize(
        ("moment", "expected"),
        [
            (datetime.fromisoformat("1900-01-01"), False),
            (datetime.fromisoformat("0001-01-01"), False),
            (datetime.fromisoformat("1900-01-01T00:00:01"), True),
            (datetime.fromisoformat("2026-05-06"), True),
            (None, False),
        ],
    )
    def test_accepts_only_dates_after_1900(self, moment: datetime | None, expected: bool) -> None:
        assert is_valid_date(moment) is expected


class TestBlank:
    """Cultures that say nothing."""

    def test_source_site_and_time_alone_are_blank(self) -> None:
        assert Culture().is_blank
        assert replace(
            CULTURE, findings=(), organisms=(), comment=None, preliminary_comment=None
        ).is_blank

    @pytest.mark.parametrize(
        "values",
        [
            {"result": "DETECTED"},
            {"findings": (LEUKOCYTES,)},
            {"organisms": (COLI,)},
            {"comment": "C"},
            {"preliminary_comment": "C"},
        ],
    )
    def test_any_content_is_not_blank(self, values: dict[str, object]) -> None:
        assert not replace(Culture(), **values).is_blank
