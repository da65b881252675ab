"""``python -m lab_packaging [FOLDER]``: builds the Linux packages (``make package``)."""

import sys
from pathlib import Path

from lab_packaging.bundle import ROOT, VERSION, build_bundle, get_build_time
from lab_packaging.deb import build_archive, build_deb


def main() -> int:
    """Build the Debian package and the archive, and print their paths and sizes."""
    out = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "dist"
    out.mkdir(parents=True, exist_ok=True)
    bundle = build_bundle(out)
    time = get_build_time()
    for package in (
        build_deb(bundle, out, VERSION, time),
        build_archive(bundle, out, VERSION, time),
    ):
        sys.stdout.write(f"{package} ({package.stat().st_size / 1e6:.1f} MB)\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
