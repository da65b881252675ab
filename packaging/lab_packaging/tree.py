"""The files that a Linux system gets: the same in the Debian package and in the archive."""

import gzip
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

_PACKAGING = Path(__file__).parents[1]
_LINUX = _PACKAGING / "linux"
_APP_ID = "lab.portal.LabPortal"


def copy_bundle(bundle: Path, target: Path) -> None:
    """Copy the folder of the app."""
    shutil.copytree(bundle, target, symlinks=True)


def add_shared_files(share: Path, version: str, build_time: int) -> None:
    """Add the menu entry, icons, store description, and manual page below ``share``."""
    _copy_files(_LINUX / "lab-portal.desktop", share / "applications" / "lab-portal.desktop")
    icons = share / "icons" / "hicolor"
    _copy_files(_PACKAGING / "icons" / "lab-portal.svg", icons / "scalable/apps/lab-portal.svg")
    _copy_files(_PACKAGING / "icons" / "lab-portal.png", icons / "256x256/apps/lab-portal.png")
    description = (_LINUX / "lab-portal.metainfo.xml").read_text()
    date = datetime.fromtimestamp(build_time, UTC).date().isoformat()
    path = share / "metainfo" / f"{_APP_ID}.metainfo.xml"
    path.parent.mkdir(parents=True)
    path.write_text(description.replace("@VERSION@", version).replace("@DATE@", date))
    write_compressed(share / "man/man1/lab-portal.1.gz", (_LINUX / "lab-portal.1").read_bytes())


def write_compressed(path: Path, content: bytes) -> None:
    """Write a file of documentation with gzip, without a time in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content, 9, mtime=0))


def set_modes_and_times(folder: Path, build_time: int) -> None:
    """Give all files the modes of a package and one time, so that two builds are equal."""
    for path in (folder, *sorted(folder.rglob("*"))):
        if not path.is_symlink():
            is_program = path.is_dir() or (path.stat().st_mode & 0o100 and _is_program(path))
            path.chmod(0o755 if is_program else 0o644)
        os.utime(path, (build_time, build_time), follow_symlinks=False)


def _is_program(path: Path) -> bool:
    """Whether a file with the executable mode is started, and not only loaded."""
    return ".so" not in path.name


def _copy_files(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
