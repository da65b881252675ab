"""All dependencies of the product are imported by its code."""

from pathlib import Path

import pytest

from app.dependencies import ROOT, find_unused_dependencies


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the product with a project file that a test may change."""
    for name in ("app", "seeds"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    return tmp_path


def add_dependency(root: Path, before: str, requirement: str) -> None:
    """Add a dependency."""
    path = root / "pyproject.toml"
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, f'{before}\n  "{requirement}",', 1))


class TestFindUnusedDependencies:
    """``find_unused_dependencies``."""

    def test_every_dependency_is_used(self) -> None:
        assert find_unused_dependencies() == []

    @pytest.mark.parametrize(
        ("before", "requirement", "message"),
        [
            ("\ndependencies = [", "zxing-cpp>=3", "zxing-cpp is in what both hosts install"),
            ("\nserver = [", "simple-icd-10-cm>=1.5", "simple-icd-10-cm is in the extra 'server'"),
            ("\nserver = [", "keyring>=25", "keyring is in the extra 'server'"),
            ("\ndesktop = [", "reportlab>=4", "reportlab is in the extra 'desktop'"),
        ],
    )
    def test_names_an_unused_dependency(
        self, root: Path, before: str, requirement: str, message: str
    ) -> None:
        add_dependency(root, before, requirement)
        [line] = find_unused_dependencies(root)
        assert line.startswith(f"pyproject.toml: {message} ")
