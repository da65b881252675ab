"""docs/spec-coverage.md keeps its word: its tests, its places and its sections are there.

A row is ``| the line | where it is built | what proves it |``. A proof is, in backticks,
``path::Class::test`` from the root of the repository, or ``path > describe > it`` from
``ui/src``; or the row says plainly that the line is not built yet, or what keeps it from a proof.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "spec-coverage.md"
UI = ROOT / "ui" / "src"

SECTIONS = (
    *("Ordering 1", "Ordering 2.1", "Ordering 2.2", "Ordering 2.3", "Ordering 2.4"),
    *("Ordering 2.5", "Ordering 2.6", "Ordering 3", "Ordering 4", "Ordering 5"),
    *("Ordering 6", "Ordering 7", "Ordering 8", "Ordering 9"),
    "Platform 6",
)
"""The sections whose lines the document follows; a specification taken up adds its own."""

ADMISSIONS = ("not built yet", "no proof yet", "not ours")
_CODE = re.compile(r"`([^`]+)`")
_CELLS = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Row:
    """One line of the specification."""

    section: str
    line: str
    where: str
    proof: str


def rows_of(text: str) -> Iterator[Row]:
    """The rows of every section's table."""
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


def problem_of_python(reference: str) -> str | None:
    """What is wrong with ``path::Class::test``."""
    path, *names = reference.split("::")
    file = ROOT / path
    if not file.is_file():
        return "no such file"
    nodes: list[ast.stmt] = ast.parse(file.read_text(encoding="utf-8")).body
    for name in names:
        kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        here = [node for node in nodes if isinstance(node, kinds) and node.name == name]
        if not here:
            return f"no {name}"
        nodes = here[-1].body
    return None if names else "no test named"


def problem_of_vitest(reference: str) -> str | None:
    """What is wrong with ``path > describe > it``."""
    path, *sentences = reference.split(" > ")
    file = UI / path
    if not file.is_file():
        return "no such file"
    if len(sentences) != 2:
        return "describe and it are expected"
    rest = file.read_text(encoding="utf-8")
    for keyword, sentence in zip(("describe", "it"), sentences, strict=True):
        begins = re.search(
            rf"\b{keyword}(?:\.each\b[\s\S]{{0,1500}}?)?\(\s*(['\"`]){re.escape(sentence)}\1", rest
        )
        if begins is None:
            return f"no {keyword} '{sentence}'"
        rest = rest[begins.end() :]
        if keyword == "describe":
            # Not beyond the next group at the same depth.
            rest = re.split(r"^describe\(", rest, maxsplit=1, flags=re.MULTILINE)[0]
    return None


def problem_of(reference: str) -> str | None:
    """What is wrong with a reference; None when its test is there."""
    if "::" in reference:
        return problem_of_python(reference)
    if " > " in reference:
        return problem_of_vitest(reference)
    return "neither path::test nor path > describe > it"


ROWS = list(rows_of(DOCUMENT.read_text(encoding="utf-8")))


class TestDocument:
    """docs/spec-coverage.md."""

    @pytest.mark.parametrize("section", SECTIONS)
    def test_follows_the_section(self, section: str) -> None:
        assert [row for row in ROWS if row.section == section], f"nothing about {section}"

    def test_has_no_other_sections(self) -> None:
        titles = re.findall(r"^## ([^:\n]+):", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
        assert titles == list(SECTIONS)

    def test_has_a_proof_or_an_admission_for_every_line(self) -> None:
        silent = [
            f"{row.section}: {row.line}"
            for row in ROWS
            if not _CODE.search(row.proof) and not row.proof.startswith(ADMISSIONS)
        ]
        assert silent == []

    def test_names_only_existing_tests(self) -> None:
        wrong = [
            f"{row.section}: {reference}: {problem}"
            for row in ROWS
            for reference in _CODE.findall(row.proof)
            if (problem := problem_of(reference)) is not None
        ]
        assert wrong == []

    def test_names_only_existing_paths(self) -> None:
        wrong = [
            f"{row.section}: {place}"
            for row in ROWS
            for place in _CODE.findall(row.where)
            if not (ROOT / place).exists()
        ]
        assert wrong == []

    def test_has_no_duplicate_lines_in_a_section(self) -> None:
        lines = [(row.section, row.line) for row in ROWS]
        assert sorted(lines) == sorted(set(lines))


class TestReferences:
    """That the checks above notice what they are for."""

    HERE = "tests/contract/test_spec_coverage.py"

    @pytest.mark.parametrize(
        "reference",
        [
            f"{HERE}::TestReferences::test_that_are_not_there_are_noticed_too",
            f"{HERE}::TestNowhere::test_follows_the_section",
            f"{HERE}::test_follows_the_section",
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
        assert problem_of(reference) is not None

    @pytest.mark.parametrize(
        "reference",
        [
            f"{HERE}::TestReferences::test_existing_references_are_accepted",
            "lib/ordering.test.ts > Moving a row > up and back down restores the order",
            "lib/matrix.test.ts > isPortalPath > accepts %s",
        ],
    )
    def test_existing_references_are_accepted(self, reference: str) -> None:
        assert problem_of(reference) is None
