"""The content of the desktop app's bundle, and the files that it leaves out."""

import subprocess
import sys
from pathlib import Path

import pytest
from lab_packaging.trim import list_foreign_modules, remove_unneeded

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements" / "desktop.lock"

_START = """
import sys

class ImportBlocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in FOREIGN:
            raise ModuleNotFoundError(f"{name} is not in the package", name=name)

sys.meta_path.insert(0, ImportBlocker())
import app.desktop.main
"""


def test_desktop_starts_with_the_packages_of_its_lock_alone() -> None:
    foreign = set(list_foreign_modules(LOCK))
    assert {"sqlalchemy", "pytest"} <= foreign
    process = subprocess.run(
        [sys.executable, "-c", f"FOREIGN = {foreign!r}{_START}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr


class TestTrimming:
    """``remove_unneeded``."""

    @pytest.fixture
    def wheel(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
        """A folder of files that stands for the environment's packages."""
        libraries = {
            "QtWidgets.so": ("libQt6Widgets.so.6",),
            "libQt6Widgets.so.6": ("libQt6Core.so.6",),
            "libqxcb.so": ("libQt6XcbQpa.so.6",),
        }
        monkeypatch.setattr(
            "lab_packaging.trim.list_needed_libraries", lambda path: libraries.get(path.name, ())
        )
        monkeypatch.setattr(sys, "prefix", str(tmp_path))
        return tmp_path

    def trim(self, wheel: Path, *destinations: str) -> set[str]:
        """Return which files of the wheel, at these places of the bundle, remain in it."""
        entries = [(place, str(wheel / Path(place).name), "BINARY") for place in destinations]
        return {entry[0] for entry in remove_unneeded(entries)}

    def test_keeps_the_libraries_that_something_needs(self, wheel: Path) -> None:
        needed_files = {
            "PySide6/QtWidgets.so",
            "PySide6/Qt/lib/libQt6Widgets.so.6",
            "PySide6/Qt/lib/libQt6Core.so.6",
            "PySide6/Qt/plugins/platforms/libqxcb.so",
            "PySide6/Qt/lib/libQt6XcbQpa.so.6",
        }
        assert self.trim(wheel, *needed_files, "PySide6/Qt/lib/libQt6Quick3D.so.6") == needed_files

    @pytest.mark.parametrize(
        "place",
        [
            "PySide6/Qt/qml/QtQuick/libqtquick2plugin.so",
            "PySide6/Qt/plugins/sqldrivers/libqsqlite.so",
            "PySide6/Qt/translations/qt_de.qm",
            "PySide6/Qt/translations/qtwebengine_locales/de.pak",
            "PySide6/Qt/resources/qtwebengine_devtools_resources.pak",
        ],
    )
    def test_leaves_out_unused_parts_of_qt(self, wheel: Path, place: str) -> None:
        assert self.trim(wheel, place) == set()

    def test_leaves_out_libraries_that_the_system_provides(self) -> None:
        system = ("libnss3.so", "/usr/lib/x86_64-linux-gnu/libnss3.so", "BINARY")
        python = ("libpython3.11.so.1.0", "/usr/lib/libpython3.11.so.1.0", "BINARY")
        page = ("ui/dist/index.html", str(ROOT / "ui" / "dist" / "index.html"), "DATA")
        assert remove_unneeded([system, python, page]) == [python, page]

    def test_leaves_out_links_to_missing_files(self, wheel: Path) -> None:
        link = ("libQt6Core.so.6", "PySide6/Qt/lib/libQt6Core.so.6", "SYMLINK")
        broken_link = ("libQt6Sql.so.6", "PySide6/Qt/lib/libQt6Sql.so.6", "SYMLINK")
        core = ("PySide6/Qt/lib/libQt6Core.so.6", str(wheel / "libQt6Core.so.6"), "BINARY")
        module = ("PySide6/QtWidgets.so", str(wheel / "QtWidgets.so"), "BINARY")
        widgets = ("PySide6/Qt/lib/libQt6Widgets.so.6", str(wheel / "libQt6Widgets.so.6"), "BINARY")
        remaining_files = remove_unneeded([link, broken_link, core, module, widgets])
        assert link in remaining_files
        assert broken_link not in remaining_files
