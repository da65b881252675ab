"""Rules of susceptibility: interpretation, cascades, and intrinsic resistance."""

from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.contract.enumerations import ResultFlag, SusceptibilityMethod
from app.server.results.microbiology.susceptibility import (
    BreakpointRow,
    CascadeRow,
    Limits,
    Measurement,
    Subject,
    choose_limits,
    find_impossible_antibiotics,
    find_suppressed_antibiotics,
    format_limits,
    interpret_measurement,
    parse_measurement,
)
from seeds.reference import microbiology

MIC, ETEST, ZONE = SusceptibilityMethod.MIC, SusceptibilityMethod.ETEST, SusceptibilityMethod.ZONE
COLI = Subject("ECOLI", "ENTEROBACTERALES")
LIMITS = Limits(Decimal(8), None, Decimal(32))
DOSE_DEPENDENT_LIMITS = Limits(Decimal(2), Decimal(8), Decimal(16))
DISK = Limits(Decimal(20), None, Decimal(16))
DILUTIONS = [Decimal(2) ** power for power in range(-9, 13)]
ORDER = ["S", "SDD", "I", "R"]
POWERS = st.sampled_from(DILUTIONS)
FLAGS = st.sampled_from(["S", "SDD", "I", "R", "NS", None])


def read_interpretation(
    value: str, limits: Limits = LIMITS, method: SusceptibilityMethod = MIC
) -> str | None:
    """Return the interpretation of a value as entered."""
    measurement = parse_measurement(method, value)
    assert measurement is not None
    return interpret_measurement(method, measurement, limits)


@st.composite
def draw_limits(draw: st.DrawFn) -> Limits:
    """Draw MIC limits in order; the middle one may be missing."""
    low, middle, high = sorted(draw(st.lists(POWERS, min_size=3, max_size=3, unique=True)))
    return Limits(low, draw(st.sampled_from([None, middle])), high)


class TestParsing:
    """MICs and zone diameters as entered."""

    @pytest.mark.parametrize(
        ("value", "sign", "number"),
        [
            ("4", "", "4"),
            ("=4", "", "4"),
            ("<=0.5", "<=", "0.5"),
            ("<= 0.5", "<=", "0.5"),
            ("≤0.5", "<=", "0.5"),
            ("≥32", ">=", "32"),
            (">16", ">", "16"),
            ("<0.06", "<", "0.06"),
            (" >=32 ", ">=", "32"),
            ("<=2/38", "<=", "2"),
            ("8/4", "", "8"),
            ("4096", "", "4096"),
        ],
    )
    def test_accepts_signs_and_combinations(self, value: str, sign: str, number: str) -> None:
        assert parse_measurement(MIC, value) == Measurement(sign, Decimal(number))

    @pytest.mark.parametrize(
        "value", ["", "S", "0", "-1", "4 mg", "4,5", "1e3", "=>4", "4097", "2/", "٤", "0.00001"]
    )
    def test_rejects_invalid_mics(self, value: str) -> None:
        assert parse_measurement(MIC, value) is None
        assert parse_measurement(ETEST, value) is None

    @pytest.mark.parametrize("value", ["5", "22", "60", "<=6"])
    def test_zones_are_whole_millimeters(self, value: str) -> None:
        assert parse_measurement(ZONE, value) is not None

    @pytest.mark.parametrize("value", ["4", "61", "20.5", "20/10", "0.5", "220"])
    def test_rejects_impossible_zones(self, value: str) -> None:
        assert parse_measurement(ZONE, value) is None

    @given(st.text())
    def test_no_text_raises_an_error(self, text: str) -> None:
        for method in SusceptibilityMethod:
            parse_measurement(method, text)


class TestInterpretation:
    """Interpretations by breakpoints."""

    @pytest.mark.parametrize("value", ["1.02", "1.5", "2.05", "3.9"])
    def test_does_not_round_values_above_1_to_a_dilution(self, value: str) -> None:
        exact = Decimal(value)
        below = max(dilution for dilution in DILUTIONS if dilution < exact)
        assert read_interpretation(value, Limits(below, None, below * 2)) == "R"

    @pytest.mark.parametrize(
        ("value", "flag"),
        [
            ("8", "S"),
            ("<=8", "S"),
            ("<=0.5", "S"),
            ("<16", "S"),
            ("16", "I"),
            ("32", "R"),
            (">16", "R"),
            (">=32", "R"),
            (">64", "R"),
            ("<=16", None),
            ("<32", None),
            (">8", None),
            (">=16", None),
            ("<=64", None),
        ],
    )
    def test_signed_values_count_only_if_their_whole_range_agrees(
        self, value: str, flag: str | None
    ) -> None:
        assert read_interpretation(value) == flag

    @pytest.mark.parametrize(
        ("value", "flag"),
        [("2", "S"), ("4", "SDD"), ("8", "SDD"), ("16", "R"), (">8", "R"), ("<=8", None)],
    )
    def test_dose_dependent_values_are_between_susceptible_and_resistant(
        self, value: str, flag: str | None
    ) -> None:
        assert read_interpretation(value, DOSE_DEPENDENT_LIMITS) == flag

    def test_is_intermediate_between_dose_dependent_and_resistant(self) -> None:
        assert read_interpretation("16", Limits(Decimal(2), Decimal(8), Decimal(32))) == "I"

    def test_is_not_susceptible_without_a_resistant_limit(self) -> None:
        assert read_interpretation("2", Limits(Decimal(1))) is ResultFlag.NOT_SUSCEPTIBLE
        assert read_interpretation(">1", Limits(Decimal(1))) is ResultFlag.NOT_SUSCEPTIBLE
        assert read_interpretation("1", Limits(Decimal(1))) is ResultFlag.SUSCEPTIBLE

    @pytest.mark.parametrize(
        ("written_value", "exact"),
        [
            ("0.12", "0.125"),
            ("0.06", "0.0625"),
            ("0.03", "0.03125"),
            ("0.032", "0.03125"),
            ("0.015", "0.015625"),
            ("0.016", "0.015625"),
            ("0.008", "0.0078125"),
            ("0.004", "0.00390625"),
            ("0.002", "0.001953125"),
        ],
    )
    def test_rounded_dilutions_equal_the_exact_dilutions(
        self, written_value: str, exact: str
    ) -> None:
        limit = Limits(Decimal(exact), None, Decimal(exact) * 2)
        assert read_interpretation(written_value, limit) == "S"
        assert read_interpretation(f">{written_value}", limit) == "R"
        assert (
            read_interpretation(
                f"<{written_value}", Limits(Decimal(exact) / 2, None, Decimal(exact))
            )
            == "S"
        )
        same = Limits(Decimal(written_value), None, Decimal(written_value) * 2)
        assert interpret_measurement(MIC, Measurement("", Decimal(exact)), same) == "S"

    @pytest.mark.parametrize(
        ("value", "flag"), [("6", "S"), ("8", "S"), ("12", "I"), ("24", "R"), ("<12", None)]
    )
    def test_values_between_dilutions_count_as_the_next_dilution(
        self, value: str, flag: str | None
    ) -> None:
        assert read_interpretation(value, method=ETEST) == flag

    def test_more_than_a_value_between_dilutions_includes_the_next_dilution(self) -> None:
        assert read_interpretation(">12", method=ETEST) is None
        assert read_interpretation(">24", method=ETEST) == "R"

    @pytest.mark.parametrize(
        ("value", "flag"),
        [
            ("20", "S"),
            ("21", "S"),
            ("19", "I"),
            ("17", "I"),
            ("16", "R"),
            ("6", "R"),
            (">=20", "S"),
            (">19", "S"),
            (">18", None),
            ("<=16", "R"),
            ("<17", "R"),
            ("<18", None),
        ],
    )
    def test_larger_zones_are_more_susceptible(self, value: str, flag: str | None) -> None:
        assert read_interpretation(value, DISK, ZONE) == flag

    @given(first=POWERS, second=POWERS, row=draw_limits())
    def test_is_monotonic(self, first: Decimal, second: Decimal, row: Limits) -> None:
        assume(first <= second)
        flags = [
            interpret_measurement(MIC, Measurement("", number), row) for number in (first, second)
        ]
        assert ORDER.index(flags[0] or "") <= ORDER.index(flags[1] or "")

    @given(number=POWERS, other=POWERS, row=draw_limits())
    def test_signed_values_agree_with_every_value_in_their_range(
        self, number: Decimal, other: Decimal, row: Limits
    ) -> None:
        exact_flag = interpret_measurement(MIC, Measurement("", other), row)
        for sign, is_in_range in (
            ("<", other < number),
            ("<=", other <= number),
            (">", other > number),
            (">=", other >= number),
        ):
            flag = interpret_measurement(MIC, Measurement(sign, number), row)
            assert not is_in_range or flag in (None, exact_flag)

    @given(number=POWERS, row=draw_limits())
    def test_limits_are_included_in_their_category(self, number: Decimal, row: Limits) -> None:
        flag = interpret_measurement(MIC, Measurement("", number), row)
        assert (flag == "S") == (number <= row.susceptible)
        assert row.resistant is not None
        assert (flag == "R") == (number >= row.resistant)


def build_row(
    applies_to: str = "ENTEROBACTERALES",
    source: str | None = None,
    method: SusceptibilityMethod = MIC,
    susceptible: int = 1,
) -> BreakpointRow:
    """Build a breakpoint of cefazolin, which differs from others by its limit."""
    return BreakpointRow(applies_to, "CZO", method, source, Limits(Decimal(susceptible)))


class TestChoosingLimits:
    """The row of the lab's table that applies."""

    def choose_limit(self, *rows: BreakpointRow, method: SusceptibilityMethod = MIC) -> int | None:
        """Return the limit of the chosen row."""
        row = choose_limits(rows, COLI, "CZO", method, "URINE_CC")
        return int(row.susceptible) if row else None

    def test_other_organisms_antibiotics_and_sources_have_no_limits(self) -> None:
        assert self.choose_limit(build_row("PSEUDOMONAS")) is None
        assert self.choose_limit(build_row(source="CSF")) is None
        assert self.choose_limit(build_row(method=ZONE)) is None
        assert choose_limits([build_row()], COLI, "AMP", MIC, None) is None

    def test_the_source_counts_most_and_then_the_organism(self) -> None:
        group, own = build_row(susceptible=1), build_row("ECOLI", susceptible=2)
        urine = build_row(source="URINE_CC", susceptible=4)
        own_urine = build_row("ECOLI", "URINE_CC", susceptible=8)
        assert self.choose_limit(group, own) == self.choose_limit(own, group) == 2
        assert self.choose_limit(group, own, urine) == self.choose_limit(urine, own, group) == 4
        assert self.choose_limit(own_urine, urine, own, group) == 8

    def test_an_etest_has_the_limits_of_an_mic(self) -> None:
        rows = (build_row(susceptible=1), build_row(method=ZONE, susceptible=20))
        assert self.choose_limit(*rows, method=ETEST) == 1
        assert self.choose_limit(*rows, method=ZONE) == 20


CASCADE = [
    CascadeRow("ENTEROBACTERALES", "MEM", "CRO", frozenset({"R", "I"}), None),
    CascadeRow("ENTEROBACTERALES", "MEM", "FEP", frozenset({"R"}), None),
    CascadeRow(None, "NIT", None, frozenset(), "URINE_CC"),
]


class TestCascade:
    """Antibiotics whose results clients do not see."""

    def find_suppressed(self, source: str | None = None, **flags: str | None) -> frozenset[str]:
        """Return the suppressed antibiotics of an E. coli."""
        return find_suppressed_antibiotics(CASCADE, COLI, source, flags)

    def test_suppresses_unless_one_of_the_others_is_resistant(self) -> None:
        assert self.find_suppressed(MEM="S", CRO="S", FEP="S") == {"MEM"}
        assert self.find_suppressed(MEM="S") == {"MEM"}
        assert self.find_suppressed(MEM="S", CRO="R", FEP="S") == frozenset()
        assert self.find_suppressed(MEM="S", CRO="S", FEP="R") == frozenset()
        assert self.find_suppressed(MEM="S", FEP="I") == {"MEM"}

    def test_depends_on_the_source(self) -> None:
        assert self.find_suppressed("BLOOD", NIT="S") == {"NIT"}
        assert self.find_suppressed(NIT="S") == {"NIT"}
        assert self.find_suppressed("URINE_CC", NIT="S") == frozenset()

    def test_leaves_other_organisms_alone(self) -> None:
        other = Subject("PAERU", "PSEUDOMONAS")
        assert find_suppressed_antibiotics(CASCADE, other, None, {"MEM": "S"}) == frozenset()

    @given(st.dictionaries(st.sampled_from(["MEM", "CRO", "FEP", "NIT", "AMP"]), FLAGS))
    def test_only_antibiotics_of_the_table_are_suppressed(
        self, flags: dict[str, str | None]
    ) -> None:
        suppressed_antibiotics = find_suppressed_antibiotics(CASCADE, COLI, None, flags)
        assert suppressed_antibiotics <= {"MEM", "NIT"} & flags.keys()

    @given(
        st.dictionaries(st.sampled_from(["MEM", "CRO", "FEP"]), FLAGS),
        st.sampled_from(["CRO", "FEP"]),
    )
    def test_more_resistance_never_suppresses_more(
        self, flags: dict[str, str | None], antibiotic: str
    ) -> None:
        after = find_suppressed_antibiotics(CASCADE, COLI, None, {**flags, antibiotic: "R"})
        assert after <= find_suppressed_antibiotics(CASCADE, COLI, None, flags)


class TestIntrinsicResistance:
    """Antibiotics that cannot be active."""

    @pytest.mark.parametrize(
        ("flag", "is_impossible"),
        [("S", True), ("SDD", True), ("I", False), ("R", False), ("NS", False), (None, False)],
    )
    def test_rejects_susceptible_results(self, flag: str | None, is_impossible: bool) -> None:
        for pair in (("ECOLI", "VAN"), ("ENTEROBACTERALES", "VAN")):
            flags = {"VAN": flag, "CIP": "S"}
            expected = ["VAN"] if is_impossible else []
            assert find_impossible_antibiotics({pair}, COLI, flags) == expected

    def test_rejects_susceptible_results_that_contradict_the_mark(self) -> None:
        resistances, flags = {("MRSA", "OXA")}, {"OXA": "S", "VAN": "S"}
        aureus = Subject("SAURE", "STAPHYLOCOCCUS")
        assert find_impossible_antibiotics(resistances, aureus, flags, "MRSA") == ["OXA"]
        assert find_impossible_antibiotics(resistances, aureus, flags, "ICR") == []
        assert find_impossible_antibiotics(resistances, aureus, flags) == []

    def test_ignores_other_organisms(self) -> None:
        assert find_impossible_antibiotics({("KPNEU", "AMP")}, COLI, {"AMP": "S"}) == []


class TestFormat:
    """Limits in words."""

    @pytest.mark.parametrize(
        ("method", "row", "text"),
        [
            (MIC, LIMITS, "S <= 8, R >= 32"),
            (ETEST, DOSE_DEPENDENT_LIMITS, "S <= 2, SDD <= 8, R >= 16"),
            (ZONE, DISK, "S >= 20, R <= 16"),
            (MIC, Limits(Decimal(1)), "S <= 1"),
        ],
    )
    def test_shows_the_direction(
        self, method: SusceptibilityMethod, row: Limits, text: str
    ) -> None:
        assert format_limits(method, row) == text


class TestTables:
    """The tables that the portal ships."""

    def test_limits_are_in_order(self) -> None:
        for row in microbiology.list_breakpoints():
            chain = [row.susceptible, row.dose_dependent, row.resistant]
            numbers = [number for number in chain if number is not None]
            assert numbers == sorted(numbers, reverse=row.method is ZONE), row
            assert len(set(numbers)) == len(numbers), row

    def test_every_breakpoint_is_marked_as_invented(self) -> None:
        assert all(row.invented for row in microbiology.list_breakpoints())

    def test_cascade_never_hides_that_an_organism_is_not_susceptible(self) -> None:
        # Clients must see that a broader agent fails, whatever the result of the narrower one.
        # Without a resistant limit, as daptomycin has none, it fails as NS.
        failures = {"R", "I", "NS"}
        rules = microbiology.list_cascade_rules()
        suppressed_antibiotics = {
            (rule.applies_to, rule.antibiotic) for rule in rules if rule.unless_antibiotic
        }
        shown_if_failing = {
            (rule.applies_to, rule.antibiotic)
            for rule in rules
            if rule.unless_antibiotic == rule.antibiotic
            and failures <= set(rule.unless_interpretations)
        }
        assert suppressed_antibiotics == shown_if_failing

    def test_tables_name_known_organisms_antibiotics_and_terms(self) -> None:
        organisms = microbiology.list_organisms()
        subjects = {o.code for o in organisms} | {o.group_code for o in organisms} | {None}
        antibiotics = {row.code for row in microbiology.list_antibiotics()} | {None}
        terms = {(row.kind, row.code) for row in microbiology.list_culture_terms()}
        for row in microbiology.list_breakpoints():
            assert row.applies_to in subjects
            assert row.antibiotic in antibiotics
            assert row.source is None or ("source", row.source) in terms
        for applies_to, antibiotic in microbiology.list_intrinsic_resistances():
            assert applies_to in subjects or ("mark", applies_to) in terms
            assert antibiotic in antibiotics
        for cascade_rule in microbiology.list_cascade_rules():
            assert cascade_rule.applies_to in subjects
            assert {cascade_rule.antibiotic, cascade_rule.unless_antibiotic} <= antibiotics
            source = cascade_rule.unless_source
            assert source is None or ("source", source) in terms
        for rule in microbiology.list_critical_rules():
            assert rule.applies_to in subjects
            assert rule.source is None or ("source", rule.source) in terms
            assert rule.mark is None or ("mark", rule.mark) in terms
            assert rule.finding is None or ("finding", rule.finding) in terms
