"""The catalog of tests with its panels, reference ranges and limits.

Names, specimens, containers, and units are common in practice. A test has a LOINC code only where
the code is certain (see LOINC-NOTICE.md). All reference ranges, limits, cut-offs, methods, and
volumes are invented: plausible, but not for use with patients.
"""

from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from app.contract.enumerations import Gender, ResultKind, ResultType
from seeds.reference.files import read_rows


@dataclass(frozen=True, slots=True)
class CatalogTest:
    """A test or panel, with the columns of the table ``lab_tests`` except ids."""

    code: str
    name: str
    alternate_names: str
    is_panel: bool
    orderable: bool
    kind: ResultKind
    loinc: str | None
    specimen: str
    container: str
    unit: str | None
    result_type: ResultType
    choices: tuple[str, ...]
    normal_choices: tuple[str, ...]
    decimals: int | None
    required_ml: Decimal | None
    method: str | None

    @property
    def search_text(self) -> str:
        """The code, name, and alternate names in upper case."""
        return f"{self.code} {self.name} {self.alternate_names}".strip().upper()


@dataclass(frozen=True, slots=True)
class ContainerRow:
    """A container and its volume in mL. Of a container without a row, one is always enough."""

    name: str
    volume_ml: Decimal


@dataclass(frozen=True, slots=True)
class TestCodeRow:
    """A code that the lab used before for a test; several tests may have had the same one."""

    __test__ = False

    code: str
    test: str


@dataclass(frozen=True, slots=True)
class PanelMemberRow:
    """A test within a panel, by codes, in printing order."""

    panel: str
    test: str
    position: int


@dataclass(frozen=True, slots=True)
class TestFormulaRow:
    """How a calculated test follows from others, whose codes are in the order of the formula."""

    __test__ = False

    test: str
    formula: str
    inputs: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class ReflexRuleRow:
    """A rule that adds a test to an order, by the codes of both tests; see ``ReflexRule``."""

    code: str
    test: str
    added: str
    condition: str
    flags: tuple[str, ...]
    words: tuple[str, ...]
    low: Decimal | None
    high: Decimal | None
    source: str


@dataclass(frozen=True, slots=True)
class TestLimitsRow:
    """The possible and usual values of a test's results, and their largest usual change."""

    __test__ = False

    test: str
    possible_low: Decimal | None
    possible_high: Decimal | None
    plausible_low: Decimal | None
    plausible_high: Decimal | None
    delta_percent: Decimal | None
    delta_days: int | None


@dataclass(frozen=True, slots=True)
class ReferenceRangeRow:
    """A range for a sex (``None``: all) and ages in days; the upper age is exclusive."""

    test: str
    gender: Gender | None
    age_from_days: int
    age_to_days: int
    low: Decimal | None
    high: Decimal | None
    critical_low: Decimal | None
    critical_high: Decimal | None
    words: str | None
    invented: bool


def _split_values(text: str) -> tuple[str, ...]:
    return tuple(text.split("|")) if text else ()


def _parse_number(text: str) -> Decimal | None:
    return Decimal(text) if text else None


@cache
def list_test_codes() -> tuple[TestCodeRow, ...]:
    """Return the codes that the lab used before."""
    return tuple(TestCodeRow(row["code"], row["test"]) for row in read_rows("test_codes.csv"))


@cache
def list_lab_tests() -> tuple[CatalogTest, ...]:
    """Return all tests and panels, in the order of the file."""
    methods = {row["test"]: row["method"] for row in read_rows("test_methods.csv")}
    return tuple(
        CatalogTest(
            code=row["code"],
            name=row["name"],
            alternate_names=row["alternate_names"],
            is_panel=row["type"] == "PANEL",
            orderable=row["orderable"] == "true",
            kind=ResultKind(row["kind"]),
            loinc=row["loinc"] or None,
            specimen=row["specimen"],
            container=row["container"],
            unit=row["unit"] or None,
            result_type=ResultType(int(row["result_type"])),
            choices=_split_values(row["choices"]),
            normal_choices=_split_values(row["normal_choices"]),
            decimals=int(row["decimals"]) if row["decimals"] else None,
            required_ml=_parse_number(row["required_ml"]),
            method=methods.get(row["code"]),
        )
        for row in read_rows("tests.csv")
    )


@cache
def list_containers() -> tuple[ContainerRow, ...]:
    """Return the containers whose volume limits how many tests share one."""
    return tuple(
        ContainerRow(row["name"], Decimal(row["volume_ml"])) for row in read_rows("containers.csv")
    )


@cache
def list_panel_members() -> tuple[PanelMemberRow, ...]:
    """Return the members of all panels, by panel and position."""
    return tuple(
        PanelMemberRow(row["panel"], row["test"], int(row["position"]))
        for row in read_rows("panel_members.csv")
    )


@cache
def list_test_limits() -> tuple[TestLimitsRow, ...]:
    """Return the invented limits of all tests with numbers."""
    return tuple(
        TestLimitsRow(
            row["test"],
            _parse_number(row["possible_low"]),
            _parse_number(row["possible_high"]),
            _parse_number(row["plausible_low"]),
            _parse_number(row["plausible_high"]),
            _parse_number(row["delta_percent"]),
            int(row["delta_days"]) if row["delta_days"] else None,
        )
        for row in read_rows("test_limits.csv")
    )


@cache
def list_test_formulas() -> tuple[TestFormulaRow, ...]:
    """Return the formulas of all calculated tests, with their sources."""
    return tuple(
        TestFormulaRow(row["test"], row["formula"], tuple(row["inputs"].split()), row["source"])
        for row in read_rows("test_formulas.csv")
    )


@cache
def list_reflex_rules() -> tuple[ReflexRuleRow, ...]:
    """Return our rules of reflex tests, which a lab approves before it uses them."""
    return tuple(
        ReflexRuleRow(
            code=row["code"],
            test=row["test"],
            added=row["added"],
            condition=row["condition"],
            flags=_split_values(row["flags"]),
            words=_split_values(row["words"]),
            low=_parse_number(row["low"]),
            high=_parse_number(row["high"]),
            source=row["source"],
        )
        for row in read_rows("reflex_rules.csv")
    )


@cache
def list_reference_ranges() -> tuple[ReferenceRangeRow, ...]:
    """Return all ranges; the ages of a test's ranges for one sex never overlap."""
    return tuple(
        ReferenceRangeRow(
            test=row["test"],
            gender=Gender(row["gender"]) if row["gender"] else None,
            age_from_days=int(row["age_from_days"]),
            age_to_days=int(row["age_to_days"]),
            low=_parse_number(row["low"]),
            high=_parse_number(row["high"]),
            critical_low=_parse_number(row["critical_low"]),
            critical_high=_parse_number(row["critical_high"]),
            words=row["words"] or None,
            invented=row["invented"] == "true",
        )
        for row in read_rows("reference_ranges.csv")
    )


def find_range(test: str, gender: Gender, age_days: int) -> ReferenceRangeRow | None:
    """Return the range for a person of that sex and age in days, or ``None``."""
    return next(
        (
            row
            for row in _group_ranges_by_test().get(test, ())
            if row.gender in (None, gender) and row.age_from_days <= age_days < row.age_to_days
        ),
        None,
    )


@cache
def _group_ranges_by_test() -> dict[str, list[ReferenceRangeRow]]:
    ranges: dict[str, list[ReferenceRangeRow]] = {}
    for row in list_reference_ranges():
        ranges.setdefault(row.test, []).append(row)
    return ranges
