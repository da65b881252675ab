"""The Windows installer under Wine, with a program that stands for the app.

``make test-slow`` runs this file by its name. Python for Windows is not available on Linux, so the
installer does not contain the app itself.
"""

import json
import os
import shutil
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
# In place of takeown and icacls, which Wine does not have or only pretends to have.
_TOOL = """
Unicode true
Target amd64-unicode
RequestExecutionLevel user
SilentInstall silent
OutFile "${OUT}"
Section
  FileOpen $0 "C:\\tools.txt" a
  FileSeek $0 0 END
  FileWrite $0 "$CMDLINE$\\r$\\n"
  FileClose $0
  IfFileExists "C:\\tools-fail.txt" 0 +2
    SetErrorLevel 5
SectionEnd
"""
_FOLDER = r"C:\Programs\LabPortal"
_PORTAL = "https://portal.lab.example"
_BAD_PORTAL, _UNPROTECTED = 3, 4
"""Exit codes of the installer: the portal's address is not in quotes; the settings are open."""
_SETTINGS = r"C:\ProgramData\Lab Portal"


class Windows:
    """A Windows system in a Wine prefix."""

    def __init__(self, prefix: Path) -> None:
        self.drive = prefix / "drive_c"
        self._environment = {
            **os.environ,
            "PATH": f"{os.environ['PATH']}:/usr/lib/wine",
            "WINEPREFIX": str(prefix),
            "WINEDEBUG": "-all",
            # Programs of a test come before those of Wine.
            "WINEDLLOVERRIDES": "takeown.exe,icacls.exe=n,b",
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


def install(windows: Windows, folder: Path, setup: Path) -> int:
    """Install silently with a portal, and return the exit code."""
    script = folder / "install.bat"
    program = "Z:" + str(setup).replace("/", "\\")
    script.write_text(f'@"{program}" /S /PORTAL="{_PORTAL}" /D={_FOLDER}\r\n')
    return windows.run("cmd", "/c", str(script))


def test_only_administrators_change_the_settings(windows: Windows, tmp_path: Path) -> None:
    script = tmp_path / "tool.nsi"
    script.write_text(_TOOL)
    system = windows.drive / "windows" / "system32"
    for name in ("takeown.exe", "icacls.exe"):
        (system / name).unlink(missing_ok=True)
        subprocess.run(["makensis", "-V1", f"-DOUT={system / name}", script], check=True)
    shutil.rmtree(windows.drive / "ProgramData" / "Lab Portal", ignore_errors=True)
    setup = build_setup(tmp_path, "1.4.0", extra="new.txt")

    (windows.drive / "tools-fail.txt").touch()
    assert install(windows, tmp_path, setup) == _UNPROTECTED
    assert not (windows.drive / "ProgramData" / "Lab Portal" / "desktop.json").exists()
    assert not (windows.drive / "Programs" / "LabPortal" / "lab-portal.exe").exists()
    for name in ("tools-fail.txt", "tools.txt"):
        (windows.drive / name).unlink()

    assert install(windows, tmp_path, setup) == 0
    commands = (windows.drive / "tools.txt").read_text().splitlines()
    assert commands == [
        rf'"C:\windows\system32\takeown.exe" /A /F "{_SETTINGS}"',
        rf'"C:\windows\system32\icacls.exe" "{_SETTINGS}" /reset',
        rf'"C:\windows\system32\icacls.exe" "{_SETTINGS}" /inheritance:r'
        " /grant:r *S-1-5-18:(OI)(CI)F /grant:r *S-1-5-32-544:(OI)(CI)F"
        " /grant:r *S-1-5-32-545:(OI)(CI)RX",
        rf'"C:\windows\system32\takeown.exe" /A /F "{_SETTINGS}\desktop.json"',
    ]


def test_settings_that_somebody_else_planted_are_set_aside(
    windows: Windows, tmp_path: Path
) -> None:
    folder = windows.drive / "ProgramData" / "Lab Portal"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    planted_file = folder / "desktop.json"
    planted_file.write_text('{"portalUrl": "https://elsewhere.example"}')
    # Wine shows files of another user of the system as those of another person.
    os.chown(planted_file, 12345, 12345)
    setup = build_setup(tmp_path, "1.4.0", extra="new.txt")
    assert install(windows, tmp_path, setup) == 0
    assert json.loads(planted_file.read_text()) == {"portalUrl": _PORTAL}
    assert "elsewhere" in (folder / "desktop.json.rejected").read_text()
    windows.run(str(windows.drive / "Programs" / "LabPortal" / "uninstall.exe"), "/S", "/PURGE")
    assert not folder.exists()


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
