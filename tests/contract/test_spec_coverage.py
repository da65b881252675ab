"""The tests, paths and sections that docs/spec-coverage.md names exist.

A row is ``| line of the specification | paths of its code | proof |``. A proof has references in
backticks: ``path::Class::test`` from the root of the repository, or ``path > describe > it`` from
``ui/src``. Otherwise it says that the line is not built yet, or why there is no proof.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "spec-coverage.md"
UI = ROOT / "ui" / "src"

SECTIONS = (
    "Ordering 1",
    "Ordering 2.1",
    "Ordering 2.2",
    "Ordering 2.3",
    "Ordering 2.4",
    "Ordering 2.5",
    "Ordering 2.6",
    "Ordering 3",
    "Ordering 4",
    "Ordering 5",
    "Ordering 6",
    "Ordering 7",
    "Ordering 8",
    "Ordering 9",
    "Results 1",
    "Results 2.1",
    "Results 2.2",
    "Results 2.3",
    "Results 2.4",
    "Results 3",
    "Results 4",
    "Results 5",
    "Results 6",
    "Results 7",
    "Results 8",
    "Results 9",
    "Platform 2",
    "Platform 3",
    "Platform 4",
    "Platform 5",
    "Platform 6",
    "Platform 7",
    "Platform 8",
    "Platform 9",
    "Desktop app",
)
"""The sections of the specification that the document covers."""

REASONS_WITHOUT_PROOF = ("not built yet", "no proof yet", "not ours")
_CODE = re.compile(r"`([^`]+)`")
_CELLS = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Row:
    """A line of the specification."""

    section: str
    line: str
    paths: str
    proof: str


def parse_rows(text: str) -> Iterator[Row]:
    """Yield the rows of all sections."""
    section = ""
    for line in text.splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ").partition(":")[0]
        elif line.startswith("|") and section in SECTIONS:
            cells = [cell.strip() for cell in _CELLS.split(line)[1:-1]]
            if set(cells[0]) <= {"-", ":"} or cells[0] == "The line":
                continue
            assert len(cells) == 3, f"{section}: three cells are expected in {line}"
            yield Row(section, *cells)


def check_python_reference(reference: str) -> str | None:
    """Return what is wrong with ``path::Class::test``, or None."""
    path, *names = reference.split("::")
    file = ROOT / path
    if not file.is_file():
        return "no such file"
    nodes = _parse_file(file)
    for name in names:
        kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        matches = [node for node in nodes if isinstance(node, kinds) and node.name == name]
        if not matches:
            return f"no {name}"
        nodes = matches[-1].body
    return None if names else "no test named"


@cache
def _parse_file(file: Path) -> list[ast.stmt]:
    return ast.parse(file.read_text(encoding="utf-8")).body


def check_vitest_reference(reference: str) -> str | None:
    """Return what is wrong with ``path > describe > it``, or None."""
    path, *sentences = reference.split(" > ")
    file = UI / path
    if not file.is_file():
        return "no such file"
    if len(sentences) != 2:
        return "describe and it are expected"
    rest = file.read_text(encoding="utf-8")
    for keyword, sentence in zip(("describe", "it"), sentences, strict=True):
        match = re.search(
            rf"\b{keyword}(?:\.each\b[\s\S]{{0,1500}}?)?\(\s*(['\"`]){re.escape(sentence)}\1", rest
        )
        if match is None:
            return f"no {keyword} '{sentence}'"
        rest = rest[match.end() :]
        if keyword == "describe":
            # Search only up to the next top-level group.
            rest = re.split(r"^describe\(", rest, maxsplit=1, flags=re.MULTILINE)[0]
    return None


def check_reference(reference: str) -> str | None:
    """Return what is wrong with a reference to a test, or None."""
    if "::" in reference:
        return check_python_reference(reference)
    if " > " in reference:
        return check_vitest_reference(reference)
    return "neither path::test nor path > describe > it"


ROWS = list(parse_rows(DOCUMENT.read_text(encoding="utf-8")))


class TestDocument:
    """docs/spec-coverage.md."""

    @pytest.mark.parametrize("section", SECTIONS)
    def test_covers_each_section(self, section: str) -> None:
        assert [row for row in ROWS if row.section == section], f"nothing about {section}"

    def test_has_no_other_sections(self) -> None:
        titles = re.findall(r"^## ([^:\n]+):", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
        assert titles == list(SECTIONS)

    def test_every_line_has_a_proof_or_says_why_not(self) -> None:
        unproven_lines = [
            f"{row.section}: {row.line}"
            for row in ROWS
            if not _CODE.search(row.proof) and not row.proof.startswith(REASONS_WITHOUT_PROOF)
        ]
        assert unproven_lines == []

    def test_names_only_existing_tests(self) -> None:
        missing_tests = [
            f"{row.section}: {reference}: {problem}"
            for row in ROWS
            for reference in _CODE.findall(row.proof)
            if (problem := check_reference(reference)) is not None
        ]
        assert missing_tests == []

    def test_names_only_existing_paths(self) -> None:
        missing_paths = [
            f"{row.section}: {place}"
            for row in ROWS
            for place in _CODE.findall(row.paths)
            if not (ROOT / place).exists()
        ]
        assert missing_paths == []

    def test_has_no_duplicate_lines_in_a_section(self) -> None:
        lines = [(row.section, row.line) for row in ROWS]
        assert sorted(lines) == sorted(set(lines))


class TestReferences:
    """The checks of references."""

    HERE = "tests/contract/test_spec_coverage.py"

    @pytest.mark.parametrize(
        "reference",
        [
            f"{HERE}::TestReferences::test_nowhere",
            f"{HERE}::TestNowhere::test_covers_each_section",
            f"{HERE}::test_covers_each_section",
            "tests/contract/test_nowhere.py::test_x",
            HERE,
            "lib/ordering.test.ts > Moving a row > keeps the order of the others",
            "lib/ordering.test.ts > Moving a row > up and down",
            "lib/ordering.test.ts > Moving > up and back down restores the order",
            "lib/ordering.test.ts > Moving a row",
            "components/nowhere.test.ts > Moving a row > up and back down restores the order",
        ],
    )
    def test_missing_references_are_reported(self, reference: str) -> None:
        assert check_reference(reference) is not None

    @pytest.mark.parametrize(
        "reference",
        [
            f"{HERE}::TestReferences::test_existing_references_are_accepted",
            "lib/ordering.test.ts > Moving a row > up and back down restores the order",
            "lib/matrix.test.ts > isPortalPath > accepts %s",
        ],
    )
    def test_existing_references_are_accepted(self, reference: str) -> None:
        assert check_reference(reference) is None
