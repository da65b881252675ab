"""The tests that docs/security-controls.md names exist."""

import re

from tests.contract.test_spec_coverage import ROOT, check_python_reference

DOCUMENT = ROOT / "docs" / "security-controls.md"
_REFERENCE = re.compile(r"`(tests/[^`]+)`")


def test_names_only_existing_tests() -> None:
    references = _REFERENCE.findall(DOCUMENT.read_text(encoding="utf-8"))
    assert len(references) > 30
    wrong = [f"{each}: {what}" for each in references if (what := check_python_reference(each))]
    assert wrong == []
