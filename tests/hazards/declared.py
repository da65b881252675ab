"""Loads the declared hazards and formats them as ``docs/hazards.md``."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "hazards.md"
_FOLDER = Path(__file__).parent

SEVERITIES = ("negligible", "minor", "serious", "critical", "catastrophic")
"""The severities of ISO 14971, from inconvenience to death."""


@dataclass(frozen=True)
class Control:
    """A piece of code that prevents a harm, and the test that fails without it.

    Attributes:
        code: the lines of the control, which occur once in ``file``.
        without: the lines that replace ``code`` to switch the control off.
        test: a test of pytest, or a file of the interface and the name of a test in it.
    """

    file: str
    code: str
    without: str
    test: str

    @property
    def is_screen_test(self) -> bool:
        """Whether the test belongs to the interface."""
        return self.test.startswith("ui/")


@dataclass(frozen=True)
class Hazard:
    """A danger to a patient: its causes, its severity, and its controls."""

    id: str
    hazard: str
    cause: str
    harm: str
    severity: str
    control: str
    controls: tuple[Control, ...]


@dataclass(frozen=True)
class Chapter:
    """The hazards of one kind."""

    title: str
    hazards: tuple[Hazard, ...]


def load_chapters() -> list[Chapter]:
    """Load all chapters in the order of their files."""
    return [_build_chapter(tomllib.loads(path.read_text())) for path in _list_files()]


def list_controls(chapters: Sequence[Chapter]) -> Iterator[tuple[Hazard, Control]]:
    """Return every control with its hazard."""
    for chapter in chapters:
        for hazard in chapter.hazards:
            for control in hazard.controls:
                yield hazard, control


def format_document(chapters: Sequence[Chapter]) -> str:
    """Format the hazards as Markdown."""
    count = sum(len(chapter.hazards) for chapter in chapters)
    lines = [_INTRODUCTION.format(count=count)]
    for chapter in chapters:
        lines.append(f"## {chapter.title}\n")
        for hazard in chapter.hazards:
            lines.append(_format_hazard(hazard))
    return "\n".join(lines)


def _list_files() -> list[Path]:
    return sorted(_FOLDER.glob("*.toml"))


def _build_chapter(declaration: dict[str, Any]) -> Chapter:
    hazards = [
        Hazard(
            **{
                **entry,
                "controls": tuple(Control(**control) for control in entry["controls"]),
            }
        )
        for entry in declaration["hazards"]
    ]
    return Chapter(declaration["title"], tuple(hazards))


def _format_hazard(hazard: Hazard) -> str:
    tests = "\n".join(
        f"  - `{control.test}` guards `{control.file}`" for control in hazard.controls
    )
    return (
        f"### {hazard.id} {hazard.hazard}\n\n"
        f"- Cause: {hazard.cause}\n"
        f"- Harm: {hazard.harm} Severity: **{hazard.severity}**.\n"
        f"- Control: {hazard.control}\n"
        f"- Tests:\n{tests}\n"
    )


_INTRODUCTION = """\
# Hazards of ordering and results

This is the risk analysis of the portal's ordering and results, following ISO 14971: what can
hurt a patient, how that happens, how severe the harm is, and what prevents it. It names {count}
hazards. It is generated from `tests/hazards/*.toml`; change it there, and run
`python -m tests.tools.hazards --write`.

Each control is code, and each has a test that fails without it. `make hazards` proves that: it
takes every control out of a copy of the portal, one at a time, and runs the test.

Severity says how bad the harm is without the control, if nobody notices in time:

| Severity | The harm |
| --- | --- |
| negligible | inconvenience |
| minor | a delay, a second collection, distress that passes |
| serious | an injury that needs treatment, or unneeded treatment |
| critical | a lasting injury, or one that threatens life |
| catastrophic | death |

Probability is not estimated. There are no incident figures of this product yet, so every hazard is
treated as if it will happen.
"""
