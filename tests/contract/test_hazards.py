"""The declared hazards, against the code and tests that they name."""

from collections import Counter

from tests.hazards.declared import (
    DOCUMENT,
    ROOT,
    SEVERITIES,
    format_document,
    list_controls,
    load_chapters,
)

CHAPTERS = load_chapters()
HAZARDS = [hazard for chapter in CHAPTERS for hazard in chapter.hazards]


def test_ids_are_unique() -> None:
    assert [id_ for id_, count in Counter(h.id for h in HAZARDS).items() if count > 1] == []


def test_severities_are_those_of_the_table() -> None:
    assert {hazard.severity for hazard in HAZARDS} <= set(SEVERITIES)


def test_every_hazard_has_a_control() -> None:
    assert [hazard.id for hazard in HAZARDS if not hazard.controls] == []


def test_each_control_is_in_its_file_once() -> None:
    """Otherwise ``make hazards`` would switch off something else, or nothing."""
    misplaced_controls = [
        f"{hazard.id} {control.file}"
        for hazard, control in list_controls(CHAPTERS)
        if (ROOT / control.file).read_text().count(control.code) != 1
    ]
    assert misplaced_controls == []


def test_each_test_exists() -> None:
    missing_tests = []
    for hazard, control in list_controls(CHAPTERS):
        file, *_, name = control.test.split("::")
        if name not in (ROOT / file).read_text():
            missing_tests.append(f"{hazard.id} {control.test}")
    assert missing_tests == []


def test_the_document_is_current() -> None:
    """Run ``python -m tests.tools.hazards --write`` after a change."""
    assert DOCUMENT.read_text() == format_document(CHAPTERS)
