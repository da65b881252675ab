"""Names the system libraries that the window needs and this computer lacks.

Qt ends the process without them, after a line on standard error that nobody sees.
"""

import ctypes
import importlib.util
import os
import re
from pathlib import Path

from app.contract import messages
from app.desktop.errors import SettingsError

_MISSING_LIBRARY = re.compile(r"^(\S+): cannot open shared object file")
_PARTS = ("plugins/platforms/libqxcb.so", "lib/libQt6WebEngineCore.so.6")
# Libraries that systems without a desktop often lack, with their Debian packages.
_PACKAGES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbfile.so.1": "libxkbfile1",
    "libXcomposite.so.1": "libxcomposite1",
    "libXdamage.so.1": "libxdamage1",
    "libXrandr.so.2": "libxrandr2",
    "libXtst.so.6": "libxtst6",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libgbm.so.1": "libgbm1",
    "libnss3.so": "libnss3",
    "libasound.so.2": "libasound2",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
}


def load_library(name: str) -> None:
    """Load a library, or raise ``OSError`` if it, or one that it needs, is missing."""
    ctypes.CDLL(name)


def require_libraries() -> None:
    """Raise ``SettingsError`` with the libraries that are missing."""
    package = importlib.util.find_spec("PySide6")
    if package is None or not package.submodule_search_locations or not os.environ.get("DISPLAY"):
        return
    folder = Path(package.submodule_search_locations[0]) / "Qt"
    for part in _PARTS:
        if not (folder / part).exists():
            continue
        try:
            load_library(str(folder / part))
        except OSError as error:
            match = _MISSING_LIBRARY.match(str(error))
            if match is not None:
                raise _build_error(match.group(1)) from error


def _build_error(first: str) -> SettingsError:
    """Build the error with the library that Qt misses, and the others that are missing too."""
    missing_libraries = [
        first,
        *(name for name in _PACKAGES if name != first and not _is_present(name)),
    ]
    packages = [_PACKAGES.get(name, name) for name in missing_libraries]
    return SettingsError(
        messages.LIBRARIES_MISSING.format(
            libraries=", ".join(missing_libraries), packages=" ".join(packages)
        )
    )


def _is_present(name: str) -> bool:
    try:
        load_library(name)
    except OSError:
        return False
    return True
