"""A small folder that stands for the bundle of the desktop app."""

import json
import shutil
from pathlib import Path

BUILD_TIME = 1_700_000_000


def make_bundle(folder: Path) -> Path:
    """Make a bundle with a small program of the system in place of the app."""
    bundle = folder / "lab-portal"
    (bundle / "_internal" / "ui" / "dist").mkdir(parents=True)
    shutil.copy("/bin/true", bundle / "lab-portal")
    (bundle / "_internal" / "ui" / "dist" / "index.html").write_text("<title>Lab Portal</title>")
    module = bundle / "_internal" / "module.so"
    shutil.copy("/bin/true", module)
    module.chmod(0o700)
    return bundle


def write_parts(folder: Path, *names: str) -> Path:
    """Write a file of bundled parts that names these distributions."""
    path = folder / "parts.json"
    path.write_text(json.dumps({"distributions": names}))
    return path
