"""``python -m lab_packaging.windows BUNDLE FOLDER``: the installer of the app for Windows."""

import os
import subprocess
import sys
from pathlib import Path

from lab_packaging.bundle import VERSION

_WINDOWS = Path(__file__).parents[1] / "windows"


def build_installer(bundle: Path, out: Path, version: str) -> Path:
    """Build ``lab-portal-VERSION-setup.exe`` and return it.

    It is signed if ``SIGNING_CERTIFICATE`` names a certificate (``packaging/windows/sign.sh``).
    """
    target = out / f"lab-portal-{version}-setup.exe"
    values = {"VERSION": version, "BUNDLE": str(bundle), "OUT": str(target)}
    if os.environ.get("SIGNING_CERTIFICATE"):
        values["SIGN"] = f"bash {_WINDOWS / 'sign.sh'}"
    options = [f"-D{name}={value}" for name, value in values.items()]
    subprocess.run(
        ["makensis", "-V2", *options, "lab-portal.nsi"],  # noqa: S607 - the makensis of the PATH
        cwd=_WINDOWS,
        check=True,
    )
    return target


def main() -> int:
    """Build the installer of a bundle that PyInstaller made on Windows."""
    bundle, out = map(Path, sys.argv[1:3])
    sys.stdout.write(f"{build_installer(bundle.resolve(), out.resolve(), VERSION)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
