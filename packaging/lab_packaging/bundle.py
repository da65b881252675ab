"""Builds the folder that every package of the desktop app contains.

``python -m lab_packaging.bundle FOLDER`` builds it alone, on any system.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from lab_packaging.notices import write_notices
from lab_packaging.parts import list_parts
from lab_packaging.sbom import write_sbom

ROOT = Path(__file__).parents[2]
VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
_NAME = "lab-portal"


def get_build_time() -> int:
    """Return the time of the packages, in seconds since the epoch: that of the last commit.

    ``SOURCE_DATE_EPOCH`` overrides it. Two builds of one commit have the same times.
    """
    if seconds := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(seconds)
    result = subprocess.run(
        ["git", "log", "-1", "--format=%ct"],  # noqa: S607 - the git of the PATH
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return int(result.stdout) if result.returncode == 0 else 0


def build_bundle(out: Path) -> Path:
    """Build ``out/lab-portal`` from ``build.spec``, with its notices, and return it."""
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "1",
        "SOURCE_DATE_EPOCH": str(get_build_time()),
    }
    options = ["--noconfirm", "--clean", "--log-level", "WARN", "--distpath", str(out)]
    subprocess.run(
        [
            sys.executable,
            "-m",
            "PyInstaller",
            *options,
            "--workpath",
            str(out / "work"),
            "build.spec",
        ],
        cwd=ROOT,
        env=environment,
        check=True,
    )
    bundle = out / _NAME
    if sys.platform == "linux":
        _strip_symbols(bundle)
    add_notices(bundle, out / "lab-portal-parts.json")
    return bundle


def add_notices(bundle: Path, bundled_parts: Path) -> None:
    """Add the folder ``licenses``: notices, the texts of the LGPL, and the bill of materials."""
    folder = bundle / "licenses"
    folder.mkdir(exist_ok=True)
    parts = list_parts(bundled_parts)
    write_notices(parts, folder / "THIRD-PARTY-NOTICES.txt")
    write_sbom(parts, VERSION, get_build_time(), folder / "lab-portal.cdx.json")
    for text in ("LGPL-3.0.txt", "GPL-3.0.txt"):
        shutil.copyfile(ROOT / "packaging" / "licenses" / text, folder / text)


def _strip_symbols(bundle: Path) -> None:
    """Remove symbols that only a debugger reads.

    Libraries that wheels rewrote keep them, because `strip` may break such a library. The program
    keeps them too, because `strip` would remove the archive at its end.
    """
    for path in sorted((bundle / "_internal").rglob("*.so*")):
        if path.is_file() and not path.is_symlink() and not path.parent.name.endswith(".libs"):
            subprocess.run(["/usr/bin/strip", "--strip-unneeded", str(path)], check=True)


if __name__ == "__main__":
    build_bundle(Path(sys.argv[1]).resolve())
