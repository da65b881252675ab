"""The Windows installer under Wine, with a program that stands for the app.

``make test-slow`` runs this file by its name. Python for Windows is not available on Linux, so the
installer does not contain the app itself.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab_packaging.windows import build_installer

_STAND_IN = """
Unicode true
Target amd64-unicode
RequestExecutionLevel user
SilentInstall silent
OutFile "${OUT}"
Section
  FileOpen $0 "$PROFILE\\started.txt" w
  FileWrite $0 "$CMDLINE"
  FileClose $0
SectionEnd
"""
_FOLDER = r"C:\Programs\LabPortal"
_PORTAL = "https://portal.lab.example"
_BAD_PORTAL = 3
"""The exit code of the installer if the portal's address is not in quotes."""


class Windows:
    """A prefix of Wine."""

    def __init__(self, prefix: Path) -> None:
        self.drive = prefix / "drive_c"
        self._environment = {
            **os.environ,
            "PATH": f"{os.environ['PATH']}:/usr/lib/wine",
            "WINEPREFIX": str(prefix),
            "WINEDEBUG": "-all",
        }
        self.run("wineboot", "--init")

    def run(self, *command: str) -> int:
        """Run a program, wait for it and what it started, and return its exit code."""
        process = subprocess.run(["wine64", *command], env=self._environment, check=False)
        subprocess.run(["wineserver", "--wait"], env=self._environment, check=True)
        return process.returncode

    def read_registry(self, key: str, name: str) -> str | None:
        """Return a value of the registry; None if it does not exist."""
        command = ["wine64", "reg", "query", rf"HKLM\Software\{key}", "/v", name, "/reg:64"]
        process = subprocess.run(
            command, env=self._environment, capture_output=True, text=True, check=False
        )
        return process.stdout.split("REG_SZ")[-1].strip() if process.returncode == 0 else None


@pytest.fixture(scope="module")
def windows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Windows]:
    """A Windows without the app."""
    yield Windows(tmp_path_factory.mktemp("wine") / "prefix")


@pytest.fixture
def certificate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A certificate that installers are signed with; it is its own authority."""
    path, key = tmp_path / "signing.pem", tmp_path / "signing.key"
    subject = ["-subj", "/CN=packaging tests", "-addext", "extendedKeyUsage=codeSigning"]
    files = ["-keyout", str(key), "-out", str(path)]
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:3072",
            "-nodes",
            "-days",
            "2",
            *subject,
            *files,
        ],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    monkeypatch.setenv("SIGNING_CERTIFICATE", str(path))
    monkeypatch.setenv("SIGNING_KEY", str(key))
    return path


def build_setup(folder: Path, version: str, *, extra: str) -> Path:
    """Build an installer of the stand-in with one more file."""
    bundle = folder / version / "lab-portal"
    (bundle / "_internal").mkdir(parents=True)
    (bundle / "_internal" / extra).write_text(version)
    (bundle / "licenses").mkdir()
    (bundle / "licenses" / "THIRD-PARTY-NOTICES.txt").write_text("notices")
    script = folder / "stand_in.nsi"
    script.write_text(_STAND_IN)
    program = bundle / "lab-portal.exe"
    subprocess.run(["makensis", "-V1", f"-DOUT={program}", script], check=True)
    return build_installer(bundle, folder, version)


def test_installer_installs_upgrades_and_uninstalls(
    windows: Windows, certificate: Path, tmp_path: Path
) -> None:
    first = build_setup(tmp_path, "1.2.3", extra="old.txt")
    verify_signature(first, certificate)
    app = windows.drive / "Programs" / "LabPortal"
    settings = windows.drive / "ProgramData" / "Lab Portal" / "desktop.json"

    assert windows.run(str(first), "/S", "/PORTAL=https://portal.lab.example") == _BAD_PORTAL
    assert not settings.exists()
    script = tmp_path / "install.bat"
    program = "Z:" + str(first).replace("/", "\\")
    script.write_text(f'@"{program}" /S /PORTAL="{_PORTAL}" /D={_FOLDER}\r\n')
    assert windows.run("cmd", "/c", str(script)) == 0
    assert json.loads(settings.read_text()) == {"portalUrl": _PORTAL}
    assert (app / "_internal" / "old.txt").exists()
    assert read_version(windows) == "1.2.3"
    verify_signature(app / "uninstall.exe", certificate)

    windows.run("start", "/wait", "labportal://requisition/ABC123")
    [started_file] = windows.drive.glob("users/*/started.txt")
    assert "labportal://requisition/ABC123" in started_file.read_text(errors="replace")

    (app / "notes.txt").write_text("a person's file")
    assert windows.run(str(build_setup(tmp_path, "1.3.0", extra="new.txt")), "/S") == 0
    assert (app / "_internal" / "new.txt").exists()
    assert not (app / "_internal" / "old.txt").exists()
    assert read_version(windows) == "1.3.0"

    windows.run(str(app / "uninstall.exe"), "/S")
    assert [path.name for path in app.iterdir()] == ["notes.txt"]
    assert json.loads(settings.read_text()) == {"portalUrl": _PORTAL}
    assert read_version(windows) is None
    assert windows.read_registry(r"Classes\labportal", "URL Protocol") is None


def verify_signature(program: Path, authority: Path) -> None:
    """Require that a program is signed by the authority's certificate and unchanged."""
    command = ["osslsigncode", "verify", "-CAfile", str(authority), "-in", str(program)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Message digest" in process.stdout
    assert process.returncode == 0, process.stdout + process.stderr


def read_version(windows: Windows) -> str | None:
    """Return the version in Windows' list of programs."""
    key = r"Microsoft\Windows\CurrentVersion\Uninstall\Lab Portal"
    return windows.read_registry(key, "DisplayVersion")
