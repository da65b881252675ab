"""The script of the Windows installer, which only ``make test-slow`` builds and runs."""

import re
from pathlib import Path

_SCRIPT = Path(__file__).parents[2] / "packaging" / "windows" / "lab-portal.nsi"


def read_installation() -> str:
    """Return what the installer does, with the macros that it inserts."""
    script = _SCRIPT.read_text()
    macros = dict(re.findall(r"^!macro (\w+).*?\n(.*?)^!macroend", script, re.M | re.S))
    section = script.split("\nSection\n")[1].split("\nSectionEnd")[0]
    return re.sub(r"^ *!insertmacro (\w+)$", lambda line: macros[line[1]], section, flags=re.M)


class TestSettingsOfTheComputer:
    """These settings choose the portal for everybody at the computer."""

    def test_are_protected_before_anything_is_written(self) -> None:
        steps = read_installation()
        protects = steps.index("/inheritance:r")
        assert steps.index("/reset") < protects < steps.index('FileOpen $2 "${SETTINGS_FILE}"')
        assert protects < steps.index("File /r")

    def test_only_administrators_may_write(self) -> None:
        grants = re.findall(r"/grant:r \*(\S+?):\(OI\)\(CI\)(\w+)", read_installation())
        assert grants == [("${SYSTEM}", "F"), ("${ADMINISTRATORS}", "F"), ("${USERS}", "RX")]
        names = dict(re.findall(r"^!define (\w+) \"(S-1-[\d-]+)\"", _SCRIPT.read_text(), re.M))
        # The same in every language of Windows.
        assert names == {
            "SYSTEM": "S-1-5-18",
            "ADMINISTRATORS": "S-1-5-32-544",
            "USERS": "S-1-5-32-545",
        }

    def test_links_and_foreign_files_are_not_adopted(self) -> None:
        steps = read_installation()
        assert steps.index("IS_LINK") < steps.index("takeown.exe")
        assert steps.index("/inheritance:r") < steps.index('Rename "${SETTINGS_FILE}"')
        assert " /T" not in steps and " /R" not in steps.replace("/reset", "")
