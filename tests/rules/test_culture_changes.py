"""Rules about changes of a culture: differences between versions, and corrections (R 4)."""

from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given

from app.server.results.microbiology.rules import (
    Change,
    Culture,
    is_correction,
    list_changes,
)
from tests.rules.cultures import (
    AMP,
    COLI,
    CULTURE,
    CULTURES,
    FINAL,
    LEUKOCYTES,
    NO_GROWTH_YET,
    PRELIMINARY,
    RODS,
    build_susceptibility,
    grow_organisms,
)


class TestChanges:
    """The differences between two versions."""

    def test_a_collection_time_entered_later_is_a_change(self) -> None:
        [change] = list_changes(replace(CULTURE, collected_at=None), CULTURE)
        assert change == Change("Collected", None, "05/06/2026 07:08 AM")

    def test_names_the_earlier_and_the_current_value(self) -> None:
        second = replace(LEUKOCYTES, code="GREPI", name="Epithelial cells", quantity_name=None)
        changed_row = build_susceptibility(interpretation="S", value="4", comment="Repeated")
        other = build_susceptibility("CIP", "S", None)
        new = replace(
            CULTURE,
            source_name="Blood",
            site_name=None,
            collected_at=datetime.fromisoformat("2026-05-06T09:00:00"),
            result="DETECTED",
            comment=None,
            findings=(replace(LEUKOCYTES, quantity_name="Many"), second),
            organisms=(
                replace(COLI, mark_name="ESBL", comment="C", sensitivity=(changed_row, other)),
            ),
        )
        coli = "Escherichia coli"
        assert list_changes(CULTURE, new) == [
            Change("Source", "Urine, clean catch", "Blood"),
            Change("Collection site", "Left arm", None),
            Change("Collected", "05/06/2026 07:08 AM", "05/06/2026 09:00 AM"),
            Change("Comment", "Call the lab.", None),
            Change("Leukocytes", "Few", "Many"),
            Change(f"{coli}, NAME OF AMP", ">16 R", "4 S Repeated"),
            Change("Result", None, "DETECTED"),
            Change("Epithelial cells", None, "PRESENT"),
            Change(f"{coli}, marked", None, "ESBL"),
            Change(f"{coli}, comment", None, "C"),
            Change(f"{coli}, NAME OF CIP", None, "S"),
        ]

    def test_distinguishes_isolates_of_one_organism(self) -> None:
        second = replace(COLI, quantity_name="Few", sensitivity=(build_susceptibility("CIP"),))
        third = replace(COLI, quantity_name="Rare", sensitivity=())
        assert list_changes(grow_organisms(COLI), grow_organisms(COLI, second, third)) == [
            Change("Escherichia coli (2)", None, "Few"),
            Change("Escherichia coli (2), NAME OF CIP", None, ">16 R"),
            Change("Escherichia coli (3)", None, "Rare"),
        ]

    def test_suppressed_antibiotics_are_never_named(self) -> None:
        hidden_antibiotic = build_susceptibility("MEM", is_suppressed=True)
        assert (
            list_changes(
                CULTURE, grow_organisms(replace(COLI, sensitivity=(AMP, hidden_antibiotic)))
            )
            == []
        )
        assert list_changes(
            CULTURE, grow_organisms(replace(COLI, sensitivity=(hidden_antibiotic,)))
        ) == [Change("Escherichia coli, NAME OF AMP", ">16 R", None)]

    def test_an_unmeasured_quantity_reads_as_present(self) -> None:
        changes = list_changes(CULTURE, grow_organisms(replace(COLI, quantity_name=None)))
        assert changes == [Change("Escherichia coli", "> 100,000 CFU/mL", "PRESENT")]

    @given(CULTURES)
    def test_a_version_does_not_differ_from_itself(self, culture: Culture) -> None:
        assert list_changes(culture, culture) == []
        assert not is_correction(culture, culture, FINAL)
        assert not is_correction(culture, culture, PRELIMINARY)

    @given(CULTURES, CULTURES)
    def test_exchanging_the_versions_reverses_the_changes(self, old: Culture, new: Culture) -> None:
        backward = {(change.subject, change.now, change.was) for change in list_changes(new, old)}
        assert {
            (change.subject, change.was, change.now) for change in list_changes(old, new)
        } == backward


class TestCorrection:
    """Progress and corrections."""

    @given(CULTURES, CULTURES)
    def test_every_difference_after_a_final_release_is_a_correction(
        self, old: Culture, new: Culture
    ) -> None:
        assert is_correction(old, new, FINAL) == bool(list_changes(old, new))

    @given(CULTURES, CULTURES)
    def test_progress_is_not_a_correction(self, old: Culture, new: Culture) -> None:
        assert not is_correction(old, new, PRELIMINARY) or is_correction(old, new, FINAL)

    @given(CULTURES)
    def test_additions_to_a_preliminary_result_are_not_corrections(self, new: Culture) -> None:
        more = replace(
            new,
            findings=(*new.findings, replace(LEUKOCYTES, name="Budding yeast")),
            organisms=(*new.organisms, replace(COLI, name="Candida albicans")),
        )
        assert not is_correction(new, more, PRELIMINARY)
        assert is_correction(new, more, FINAL)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (grow_organisms(RODS), grow_organisms(COLI)),
            (grow_organisms(findings=(NO_GROWTH_YET,)), grow_organisms(COLI, findings=())),
            (grow_organisms(replace(COLI, quantity_name=None)), grow_organisms(COLI)),
            (grow_organisms(replace(COLI, sensitivity=())), grow_organisms(COLI)),
            (
                grow_organisms(preliminary_comment="In progress."),
                grow_organisms(preliminary_comment=None),
            ),
            (
                grow_organisms(replace(RODS, comment="Many", mark_name="?", sensitivity=(AMP,))),
                grow_organisms(COLI),
            ),
        ],
    )
    def test_completing_a_preliminary_result_is_not_a_correction(
        self, old: Culture, new: Culture
    ) -> None:
        assert not is_correction(old, new, PRELIMINARY)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (grow_organisms(COLI), grow_organisms()),
            (grow_organisms(COLI), grow_organisms(replace(COLI, name="Klebsiella pneumoniae"))),
            (grow_organisms(COLI), grow_organisms(replace(COLI, quantity_name="Few"))),
            (grow_organisms(COLI), grow_organisms(replace(COLI, quantity_name=None))),
            (grow_organisms(replace(COLI, quantity_name=None)), grow_organisms()),
            (grow_organisms(COLI), grow_organisms(replace(COLI, sensitivity=()))),
            (
                grow_organisms(COLI),
                grow_organisms(replace(COLI, sensitivity=(replace(AMP, interpretation="S"),))),
            ),
            (
                grow_organisms(COLI),
                grow_organisms(replace(COLI, sensitivity=(replace(AMP, is_suppressed=True),))),
            ),
            (CULTURE, replace(CULTURE, findings=())),
            (CULTURE, replace(CULTURE, source_name="Blood")),
            (CULTURE, replace(CULTURE, comment=None)),
        ],
    )
    def test_changing_a_released_statement_is_a_correction(
        self, old: Culture, new: Culture
    ) -> None:
        assert is_correction(old, new, PRELIMINARY)
