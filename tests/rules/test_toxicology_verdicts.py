"""Rules about toxicology verdicts on the reported medications (DECISIONS, Results)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.enumerations import ToxicologyMethod, ToxicologyVerdict
from app.server.results.toxicology.rules import (
    JudgedTest,
    ReportedDrug,
    Verdict,
    compute_verdicts,
    list_descendants,
)

METABOLITES = {
    "DIAZEPAM": ["NORDIAZEPAM", "TEMAZEPAM"],
    "NORDIAZEPAM": ["OXAZEPAM"],
    "TEMAZEPAM": ["OXAZEPAM"],
    "CODEINE": ["MORPHINE"],
    "OXYCODONE": ["NOROXYCODONE"],
}
SUBSTANCES = sorted(
    {"ACETAMINOPHEN", "FENTANYL", *METABOLITES, *(m for ms in METABOLITES.values() for m in ms)}
)
SCREEN, CONFIRMATION = ToxicologyMethod.SCREEN, ToxicologyMethod.CONFIRMATION
CONSISTENT = ToxicologyVerdict.CONSISTENT
NEGATIVE = ToxicologyVerdict.UNEXPECTED_NEGATIVE
POSITIVE = ToxicologyVerdict.UNEXPECTED_POSITIVE
OTHER = ToxicologyVerdict.OTHER


def build_screen(name: str, *targets: str, is_detected: bool | None = True) -> JudgedTest:
    """Build a screen for several substances."""
    key = sum(map(ord, name))  # A number that differs between the screens of these tests.
    return JudgedTest(key, name, SCREEN, frozenset(targets), is_detected)


def build_confirmation(substance: str, *, is_detected: bool | None = True) -> JudgedTest:
    """Build a confirmation of one substance."""
    key = 10_000 + SUBSTANCES.index(substance)
    return JudgedTest(key, f"{substance}, URINE", CONFIRMATION, frozenset({substance}), is_detected)


def build_medications(*substances: str) -> list[ReportedDrug]:
    """Build medications that are reported by their ingredient."""
    return [ReportedDrug(substance, substance) for substance in substances]


def judge_tests(
    drugs: list[ReportedDrug], *tests: JudgedTest, fault: str | None = None
) -> list[Verdict]:
    """Judge tests by the table of metabolites above."""
    return compute_verdicts(drugs, tests, METABOLITES, fault)


def list_kinds(verdicts: list[Verdict]) -> list[tuple[ToxicologyVerdict, str]]:
    """Return the kind and name of each verdict."""
    return [(verdict.kind, verdict.name) for verdict in verdicts]


class TestDescendants:
    """Metabolites of substances."""

    def test_follows_several_steps(self) -> None:
        assert list_descendants("DIAZEPAM", METABOLITES) == {
            "DIAZEPAM",
            "NORDIAZEPAM",
            "TEMAZEPAM",
            "OXAZEPAM",
        }

    def test_never_leads_to_a_parent(self) -> None:
        assert list_descendants("OXAZEPAM", METABOLITES) == {"OXAZEPAM"}

    def test_stops_at_a_cycle_in_the_table(self) -> None:
        assert list_descendants("A", {"A": ["B"], "B": ["A"]}) == {"A", "B"}


class TestVerdicts:
    """Results compared with the reported medications."""

    def test_a_reported_medication_that_is_detected_is_consistent(self) -> None:
        [verdict] = judge_tests(build_medications("OXYCODONE"), build_confirmation("OXYCODONE"))
        assert (verdict.kind, verdict.is_presumptive) == (CONSISTENT, False)
        assert verdict.why == "The reported OXYCODONE was detected"
        assert verdict.tests == (build_confirmation("OXYCODONE").key,)

    def test_have_the_reported_words_the_substance_and_their_tests(self) -> None:
        valium = [ReportedDrug("VALIUM", "DIAZEPAM")]
        positive_test, negative_test, pending_test = (
            build_confirmation("DIAZEPAM", is_detected=d) for d in (True, False, None)
        )
        name, keys = ("VALIUM", "DIAZEPAM"), (positive_test.key,)
        assert judge_tests(valium, positive_test) == [
            Verdict(CONSISTENT, *name, "The reported DIAZEPAM was detected", keys)
        ]
        assert judge_tests(valium, negative_test) == [
            Verdict(NEGATIVE, *name, "Neither DIAZEPAM nor a metabolite of it was detected", keys)
        ]
        assert judge_tests(valium, pending_test) == [
            Verdict(OTHER, *name, "A result for DIAZEPAM is pending", keys)
        ]
        assert judge_tests([], positive_test) == [
            Verdict(
                POSITIVE,
                "",
                "DIAZEPAM",
                "DIAZEPAM was detected, and no reported medication explains it",
                keys,
            )
        ]

    def test_unexpected_positives_name_all_targets_of_a_confirmation(self) -> None:
        targets = frozenset({"MORPHINE", "CODEINE"})
        test = JudgedTest(1, "OPIATES", CONFIRMATION, targets, is_detected=True)
        [verdict] = judge_tests([], test)
        assert verdict.name == "CODEINE OR MORPHINE"

    @pytest.mark.parametrize("is_first_positive", [True, False])
    def test_a_positive_confirmation_counts_more_than_a_negative_one(
        self, is_first_positive: bool
    ) -> None:
        tests = [
            build_confirmation("FENTANYL", is_detected=is_first_positive),
            build_confirmation("FENTANYL", is_detected=not is_first_positive),
        ]
        verdicts = judge_tests([], build_screen("FENTANYL SCREEN", "FENTANYL"), *tests)
        assert list_kinds(verdicts) == [(POSITIVE, "FENTANYL")]

    @pytest.mark.parametrize("is_first_positive", [True, False])
    def test_one_positive_confirmation_explains_a_screen_of_several_substances(
        self, is_first_positive: bool
    ) -> None:
        tests = [
            build_confirmation("CODEINE", is_detected=is_first_positive),
            build_confirmation("CODEINE", is_detected=not is_first_positive),
        ]
        verdicts = judge_tests([], build_screen("OPIATE SCREEN", "CODEINE", "HYDROCODONE"), *tests)
        assert list_kinds(verdicts) == [(POSITIVE, "CODEINE")]

    def test_a_metabolite_explains_the_reported_parent(self) -> None:
        tests = [build_confirmation("DIAZEPAM", is_detected=False), build_confirmation("OXAZEPAM")]
        [verdict] = judge_tests(build_medications("DIAZEPAM"), *tests)
        assert verdict.kind is CONSISTENT
        assert verdict.why == "OXAZEPAM is a metabolite of the reported DIAZEPAM"
        assert verdict.tests == (build_confirmation("OXAZEPAM").key,)

    def test_a_metabolite_never_explains_its_parent(self) -> None:
        tests = [build_confirmation("DIAZEPAM"), build_confirmation("OXAZEPAM")]
        assert list_kinds(judge_tests(build_medications("OXAZEPAM"), *tests)) == [
            (CONSISTENT, "OXAZEPAM"),
            (POSITIVE, "DIAZEPAM"),
        ]

    def test_a_reported_medication_that_is_not_detected_is_an_unexpected_negative(self) -> None:
        tests = [
            build_confirmation("OXYCODONE", is_detected=False),
            build_confirmation("NOROXYCODONE", is_detected=False),
        ]
        [verdict] = judge_tests(build_medications("OXYCODONE"), *tests)
        assert (verdict.kind, verdict.is_presumptive) == (NEGATIVE, False)
        assert verdict.why == "Neither OXYCODONE nor a metabolite of it was detected"
        [alone] = judge_tests(
            build_medications("FENTANYL"), build_confirmation("FENTANYL", is_detected=False)
        )
        assert alone.why == "FENTANYL was not detected"

    def test_a_negative_screen_is_a_presumptive_negative(self) -> None:
        [verdict] = judge_tests(
            build_medications("OXYCODONE"), build_screen("OPIOIDS", "OXYCODONE", is_detected=False)
        )
        assert (verdict.kind, verdict.is_presumptive) == (NEGATIVE, True)

    def test_an_unreported_drug_is_an_unexpected_positive(self) -> None:
        [verdict] = judge_tests([], build_confirmation("FENTANYL"))
        assert (verdict.kind, verdict.name) == (POSITIVE, "FENTANYL")
        assert verdict.why == "FENTANYL was detected, and no reported medication explains it"

    @pytest.mark.parametrize("fault", ["CREATININE 5 is below 20"])
    def test_an_invalid_specimen_allows_no_negative_verdict(self, fault: str) -> None:
        tests = [build_confirmation("OXYCODONE", is_detected=False), build_confirmation("FENTANYL")]
        verdicts = judge_tests(build_medications("OXYCODONE"), *tests, fault=fault)
        assert list_kinds(verdicts) == [(OTHER, "OXYCODONE"), (POSITIVE, "FENTANYL")]
        assert verdicts[0].why == f"No verdict on OXYCODONE: {fault}"

    def test_untested_and_unknown_medications_are_other(self) -> None:
        verdicts = judge_tests(
            [*build_medications("CODEINE"), ReportedDrug("SUGAR", None)],
            build_confirmation("FENTANYL"),
        )
        assert [(verdict.kind, verdict.why) for verdict in verdicts[:2]] == [
            (OTHER, "CODEINE was not tested"),
            (OTHER, "SUGAR is not in the lab's tables"),
        ]

    def test_waits_for_a_pending_result_before_a_negative_verdict(self) -> None:
        tests = [
            build_screen("OPIOIDS", "OXYCODONE", is_detected=False),
            build_confirmation("OXYCODONE", is_detected=None),
        ]
        [verdict] = judge_tests(build_medications("OXYCODONE"), *tests)
        assert (verdict.kind, verdict.why) == (OTHER, "A result for OXYCODONE is pending")

    def test_lists_a_medication_once(self) -> None:
        drugs = build_medications("OXYCODONE", "OXYCODONE")
        verdicts = judge_tests(drugs, build_confirmation("OXYCODONE"))
        assert len(verdicts) == 1


class TestScreens:
    """A screen is presumptive, and a confirmation overrides it."""

    BENZODIAZEPINES = ("BENZODIAZEPINES SCREEN", "DIAZEPAM", "NORDIAZEPAM", "OXAZEPAM")

    def test_a_reported_medication_explains_a_screen(self) -> None:
        [verdict] = judge_tests(build_medications("DIAZEPAM"), build_screen(*self.BENZODIAZEPINES))
        assert (verdict.kind, verdict.is_presumptive) == (CONSISTENT, True)
        assert verdict.why == (
            "BENZODIAZEPINES SCREEN is presumptive positive, which the reported DIAZEPAM explains"
        )

    def test_an_unexplained_screen_is_a_presumptive_positive(self) -> None:
        [verdict] = judge_tests([], build_screen(*self.BENZODIAZEPINES))
        assert (verdict.kind, verdict.is_presumptive) == (POSITIVE, True)
        assert verdict.name == "BENZODIAZEPINES SCREEN"
        assert verdict.why == (
            "BENZODIAZEPINES SCREEN is presumptive positive, and no reported medication explains it"
        )

    def test_negative_confirmations_refute_a_screen(self) -> None:
        denials = [
            build_confirmation(substance, is_detected=False)
            for substance in self.BENZODIAZEPINES[1:]
        ]
        assert judge_tests([], build_screen(*self.BENZODIAZEPINES), *denials) == []
        assert list_kinds(
            judge_tests(
                build_medications("DIAZEPAM"), build_screen(*self.BENZODIAZEPINES), *denials
            )
        ) == [(NEGATIVE, "DIAZEPAM")]

    def test_a_screen_stays_presumptive_where_a_target_is_not_confirmed(self) -> None:
        tests = [
            build_screen(*self.BENZODIAZEPINES),
            build_confirmation("DIAZEPAM", is_detected=False),
        ]
        assert list_kinds(judge_tests([], *tests)) == [(POSITIVE, "BENZODIAZEPINES SCREEN")]

    def test_a_refuted_target_does_not_explain_a_screen(self) -> None:
        tests = [
            build_screen("SCREEN", "CODEINE", "FENTANYL"),
            build_confirmation("CODEINE", is_detected=False),
        ]
        assert list_kinds(judge_tests(build_medications("CODEINE"), *tests)) == [
            (NEGATIVE, "CODEINE"),
            (POSITIVE, "SCREEN"),
        ]

    def test_a_confirmation_replaces_its_screen(self) -> None:
        tests = [build_screen(*self.BENZODIAZEPINES), build_confirmation("OXAZEPAM")]
        assert list_kinds(judge_tests([], *tests)) == [(POSITIVE, "OXAZEPAM")]
        [verdict] = judge_tests(build_medications("DIAZEPAM"), *tests)
        assert (verdict.is_presumptive, verdict.tests) == (
            False,
            (build_confirmation("OXAZEPAM").key,),
        )


TESTS = st.lists(
    st.one_of(
        st.builds(
            build_confirmation,
            st.sampled_from(SUBSTANCES),
            is_detected=st.sampled_from([True, False]),
        ),
        st.builds(
            lambda targets, is_detected: build_screen("SCREEN", *targets, is_detected=is_detected),
            st.sets(st.sampled_from(SUBSTANCES), min_size=1),
            st.booleans(),
        ),
    ),
    unique_by=lambda test: test.key,
)
DRUGS = st.lists(st.sampled_from(SUBSTANCES), unique=True).map(
    lambda names: build_medications(*names)
)


class TestProperties:
    """Properties of any medications and any results."""

    @given(drugs=DRUGS, tests=TESTS)
    def test_every_reported_drug_has_exactly_one_verdict(
        self, drugs: list[ReportedDrug], tests: list[JudgedTest]
    ) -> None:
        verdicts = [v for v in judge_tests(drugs, *tests) if v.kind is not POSITIVE]
        assert [verdict.name for verdict in verdicts] == [drug.substance for drug in drugs]

    @given(drugs=DRUGS, tests=TESTS)
    def test_every_confirmed_substance_is_explained_or_unexpected(
        self, drugs: list[ReportedDrug], tests: list[JudgedTest]
    ) -> None:
        verdicts = judge_tests(drugs, *tests)
        unexpected_names = {v.name for v in verdicts if v.kind is POSITIVE and not v.is_presumptive}
        explained_substances = {
            substance
            for drug in drugs
            for substance in list_descendants(drug.substance or "", METABOLITES)
        }
        for test in tests:
            if test.method is CONFIRMATION:
                [substance] = test.targets
                is_unexpected = bool(test.is_detected) and substance not in explained_substances
                assert (substance in unexpected_names) == is_unexpected

    @given(drugs=DRUGS, tests=TESTS, fault=st.text(min_size=1))
    def test_an_invalid_specimen_gives_no_unexpected_negative(
        self, drugs: list[ReportedDrug], tests: list[JudgedTest], fault: str
    ) -> None:
        assert all(
            verdict.kind is not NEGATIVE for verdict in judge_tests(drugs, *tests, fault=fault)
        )

    @given(drugs=DRUGS, tests=TESTS, added_drug=st.sampled_from(SUBSTANCES))
    def test_reporting_more_never_adds_an_unexpected_positive(
        self, drugs: list[ReportedDrug], tests: list[JudgedTest], added_drug: str
    ) -> None:
        def list_unexpected(reported_drugs: list[ReportedDrug]) -> set[str]:
            return {v.name for v in judge_tests(reported_drugs, *tests) if v.kind is POSITIVE}

        assert list_unexpected([*drugs, *build_medications(added_drug)]) <= list_unexpected(drugs)

    @given(drugs=DRUGS, tests=TESTS)
    def test_does_not_depend_on_the_order_of_the_tests(
        self, drugs: list[ReportedDrug], tests: list[JudgedTest]
    ) -> None:
        def summarize(verdicts: list[Verdict]) -> set[tuple[str, str, bool]]:
            return {(v.kind, v.name, v.is_presumptive) for v in verdicts}

        assert summarize(judge_tests(drugs, *tests)) == summarize(
            judge_tests(drugs, *reversed(tests))
        )
