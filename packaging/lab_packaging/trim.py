"""Removes files that the desktop app does not need on Linux (``build.spec``).

PyInstaller collects all of Qt and every library of the build machine. The app shows web pages in
Qt's widgets, and the system's libraries come from Linux itself, which keeps them up to date.
"""

import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path, PurePosixPath

Entry = tuple[str, str, str]
"""PyInstaller's triple: path in the bundle, source on disk (a link's target), and kind."""

_PLUGINS = {
    "iconengines/libqsvgicon.so",
    "imageformats/libqgif.so",
    "imageformats/libqico.so",
    "imageformats/libqjpeg.so",
    "imageformats/libqsvg.so",
    "platforminputcontexts/libcomposeplatforminputcontextplugin.so",
    "platforminputcontexts/libibusplatforminputcontextplugin.so",
    "platforms/libqoffscreen.so",
    "platforms/libqwayland.so",
    "platforms/libqxcb.so",
    "platformthemes/libqxdgdesktopportal.so",
    "printsupport/libcupsprintersupport.so",
    "tls/libqopensslbackend.so",
    "wayland-decoration-client/libadwaita.so",
    "wayland-decoration-client/libbradient.so",
    "wayland-graphics-integration-client/libqt-plugin-wayland-egl.so",
    "wayland-shell-integration/libxdg-shell.so",
    "xcbglintegrations/libqxcb-egl-integration.so",
    "xcbglintegrations/libqxcb-glx-integration.so",
}
_QT = "PySide6/Qt/"
_LOCALE = "translations/qtwebengine_locales/en-US.pak"
_LOCKED_NAME = re.compile(r"^([A-Za-z0-9][\w.-]*)==", re.MULTILINE)


def normalize_name(name: str) -> str:
    """Return a distribution's name in the normal form, in which names can be compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_locked_names(lock: Path) -> set[str]:
    """Return the names of the distributions in a file of pinned requirements."""
    return {normalize_name(name) for name in _LOCKED_NAME.findall(lock.read_text())}


def list_foreign_modules(lock: Path) -> list[str]:
    """Return the installed modules that belong to no distribution of ``lock``.

    A developer's environment also has tests and tools, and some libraries of the app import them
    if they are installed.
    """
    locked_names = read_locked_names(lock)
    return sorted(
        module
        for module, owners in packages_distributions().items()
        if locked_names.isdisjoint(map(normalize_name, owners))
    )


def remove_unneeded(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries without the system's libraries and without the unused parts of Qt."""
    used_entries = [
        entry for entry in entries if not _is_system_file(entry) and _is_used_part(entry[0])
    ]
    needed_libraries = _collect_needed_libraries(used_entries)
    used_entries = [
        entry for entry in used_entries if not _is_library(entry[0]) or entry[0] in needed_libraries
    ]
    return _drop_dangling_links(used_entries)


def _is_system_file(entry: Entry) -> bool:
    """Whether a file comes from the system, and not from us, a wheel, or Python."""
    destination, source, kind = entry
    if kind == "SYMLINK" or PurePosixPath(destination).name.startswith("libpython"):
        return False
    path = Path(source).resolve()
    if not path.is_relative_to("/usr"):
        return False
    python_folders = (Path(sysconfig.get_path("stdlib")).resolve(), Path(sys.prefix).resolve())
    return not any(path.is_relative_to(folder) for folder in python_folders)


def _is_used_part(destination: str) -> bool:
    if not destination.startswith(_QT):
        return True
    part = destination.removeprefix(_QT)
    if part.startswith("plugins/"):
        return part.removeprefix("plugins/") in _PLUGINS
    if part.startswith("translations/"):
        return part == _LOCALE
    return not part.startswith("qml/") and "devtools" not in part and ".debug." not in part


def _is_library(destination: str) -> bool:
    """Whether a file is a library that is needed only if another file needs it."""
    return destination.startswith((f"{_QT}lib/", "pillow.libs/"))


def _collect_needed_libraries(entries: list[Entry]) -> set[str]:
    """Return the bundled libraries that programs, modules, and plugins need."""
    libraries = {PurePosixPath(e[0]).name: e for e in entries if _is_library(e[0])}
    queue = [Path(e[1]) for e in entries if e[2] in ("BINARY", "EXTENSION", "EXECUTABLE")]
    queue = [path for path in queue if path.name not in libraries]
    needed_libraries: set[str] = set()
    while queue:
        for name in list_needed_libraries(queue.pop()):
            if (entry := libraries.get(name)) and entry[0] not in needed_libraries:
                needed_libraries.add(entry[0])
                queue.append(Path(entry[1]))
    return needed_libraries


@cache
def list_needed_libraries(path: Path) -> tuple[str, ...]:
    """Return the names of the libraries that an ELF file is linked with."""
    result = subprocess.run(
        ["/usr/bin/readelf", "--dynamic", "--wide", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    return tuple(re.findall(r"\(NEEDED\).*\[(.+)\]", result.stdout))


def _drop_dangling_links(entries: list[Entry]) -> list[Entry]:
    """Return the entries without links to files that are not bundled."""
    destinations = {entry[0] for entry in entries}

    def has_target(entry: Entry) -> bool:
        destination, target, kind = entry
        if kind != "SYMLINK":
            return True
        parts: list[str] = []
        for part in (PurePosixPath(destination).parent / target).parts:
            if part == "..":
                parts.pop()
            else:
                parts.append(part)
        return "/".join(parts) in destinations

    return [entry for entry in entries if has_target(entry)]
