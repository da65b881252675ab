"""The notices of third-party parts in a package, and the licenses that it may contain."""

import re
from collections.abc import Iterable
from pathlib import Path

from lab_packaging.parts import Part

_LINE = "=" * 80
_STRONG_COPYLEFT = re.compile(r"\b(?:A?GPL|GNU (?:Affero )?General Public)", re.IGNORECASE)

_QT = (
    "Used under the GNU Lesser General Public License, version 3 (LGPL-3.0.txt and GPL-3.0.txt in "
    "this folder). Its libraries are separate files in this package, in the folder "
    "_internal/PySide6, and may be replaced by other builds of the same version. The sources are "
    "at https://download.qt.io/official_releases/QtForPython/. The web engine contains Chromium "
    "and other works; their notices are at "
    "https://doc.qt.io/qt-6/qtwebengine-licensing.html."
)
_EXCEPTIONS = {
    "pyinstaller": (
        "Used under the GPL, version 2 or later, with the bootloader exception: 'you have "
        "unlimited permission to link or embed compiled bootloader and related files into "
        "combinations with other programs, and to distribute those combinations without any "
        "restriction coming from the use of those files.' Only these files are in this package."
    ),
    "pyside6": _QT,
    "pyside6-addons": _QT,
    "pyside6-essentials": _QT,
    "pyside6-pdf": _QT,
    "pyside6-webengine": _QT,
    "shiboken6": _QT,
}
"""Works that name the GPL, and why they may be shipped in a product that is not under it."""
_FILES = """\
Files of ours that contain works of others:
- DejaVu Sans Condensed (app/drawing/typefaces): the Bitstream Vera license, LICENSE.txt beside it
- Droid Sans Fallback (app/drawing/typefaces, ui/dist): Apache-2.0, its license beside it
- Inter (ui/dist): SIL Open Font License 1.1, ui/dist/licenses
"""


class LicenseError(ValueError):
    """A part has no known license, or one that a package may not contain."""


def require_permitted_licenses(parts: Iterable[Part]) -> None:
    """Raise ``LicenseError`` for parts without a license, or under the GPL with no exception."""
    faults = []
    for part in parts:
        license_text = part.license
        if not license_text:
            faults.append(f"{part.name} {part.version} states no license")
        elif _STRONG_COPYLEFT.search(license_text) and part.name not in _EXCEPTIONS:
            faults.append(f"{part.name} {part.version} is under {license_text}")
    if faults:
        raise LicenseError("; ".join(faults))


def write_notices(parts: list[Part], target: Path) -> None:
    """Write who made the parts of a package, and under which licenses, or raise LicenseError."""
    require_permitted_licenses(parts)
    lines = [
        "The lab portal contains the following works of others.",
        "",
        *(f"- {part.name} {part.version}: {part.license}" for part in parts),
        "",
        _FILES,
    ]
    for part in parts:
        lines += ["", _LINE, f"{part.name} {part.version}", f"License: {part.license}"]
        if exception := _EXCEPTIONS.get(part.name):
            lines += ["", exception]
        for name, text in sorted(part.texts.items()):
            lines += ["", f"--- {name}", text]
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
