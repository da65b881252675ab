"""docs/security-controls.md: it lists each requirement once, and what it names exists."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tests.contract.test_spec_coverage import ROOT, check_reference

DOCUMENT = ROOT / "docs" / "security-controls.md"
_CODE = re.compile(r"`([^`]+)`")
_TOP_LEVEL = re.compile(
    r"^(?:app|docs|packaging|requirements|shared|tests|ui)/|^[A-Za-z]+\.(?:md|toml)$"
)
_COUNTS = {
    **{"1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2, "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1},
    **{"3.2": 2, "3.3": 4, "3.4": 6, "3.5": 5, "3.7": 2, "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4},
    **{"5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3, "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5},
    **{"6.6": 3, "6.8": 4, "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2, "8.1": 2},
    **{"8.2": 3, "8.3": 1, "8.4": 1, "9.1": 3, "9.2": 4, "10.1": 2, "10.2": 2, "10.3": 4},
    **{"10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3, "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4},
    **{"11.5": 1, "11.6": 1, "12.1": 3, "12.2": 2, "12.3": 4, "13.1": 1, "13.2": 5, "13.3": 2},
    **{"13.4": 5, "14.1": 2, "14.2": 4, "14.3": 3, "15.1": 3, "15.2": 3, "15.3": 7, "16.1": 1},
    **{"16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3, "17.1": 1, "17.2": 4, "17.3": 2},
}
"""The number of requirements of levels 1 and 2 in each section of ASVS 5.0.0.

Each section lists its requirements of these levels before those of level 3.
"""


@dataclass(frozen=True)
class Row:
    """One or more requirements, how the portal meets them, and what is left to do."""

    numbers: tuple[str, ...]
    how: str
    proof: str
    left: str

    @property
    def state(self) -> str:
        """The column in which the summary counts the requirements."""
        if self.how.startswith("not used"):
            return "not used"
        if not self.left:
            return "met"
        return "operator" if self.left.startswith("operator") else "something left"


def list_rows() -> Iterator[Row]:
    """Yield the rows of ASVS."""
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        if re.match(r"\| \d+\.\d", line):
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            assert len(cells) == 5, f"five cells are expected in {line}"
            yield Row(tuple(list_numbers(cells[0])), *cells[2:])


def list_numbers(cell: str) -> Iterator[str]:
    """Yield the numbers of '1.2.6-1.2.8, 1.3.1'."""
    for part in cell.split(", "):
        first, _, last = part.partition("-")
        section, _, start = first.rpartition(".")
        assert not last or last.startswith(f"{section}."), f"{part} spans two sections"
        end = last.rpartition(".")[2] or start
        yield from (f"{section}.{number}" for number in range(int(start), int(end) + 1))


def test_lists_each_requirement_once_in_order() -> None:
    expected = [f"{name}.{i}" for name, count in _COUNTS.items() for i in range(1, count + 1)]
    assert [number for row in list_rows() for number in row.numbers] == expected
    assert len(expected) == 253


def test_unproven_requirements_name_the_remaining_work() -> None:
    for row in list_rows():
        assert row.left or "`" in row.proof or row.how.startswith("not used"), row.numbers


def test_the_summary_counts_the_requirements() -> None:
    counts = Counter(row.state for row in list_rows() for _ in row.numbers)
    states = ("met", "operator", "something left", "not used")
    summary = f"| {' | '.join(states)} |\n|---|---|---|---|\n"
    summary += f"| {' | '.join(str(counts[state]) for state in states)} |"
    assert summary in DOCUMENT.read_text(encoding="utf-8")


def test_names_only_existing_tests_and_files() -> None:
    wrong_references = []
    for code in _CODE.findall(DOCUMENT.read_text(encoding="utf-8")):
        if "::" in code or " > " in code:
            wrong_references += [f"{code}: {what}"] if (what := check_reference(code)) else []
        elif _TOP_LEVEL.match(code) and not (ROOT / code).exists():
            wrong_references.append(f"{code}: no such file")
    assert wrong_references == []
