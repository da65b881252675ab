"""The version is the same everywhere, and both hosts print it."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from app.basics.version import VERSION
from app.desktop.settings import parse_arguments

ROOT = Path(__file__).parents[2]


def test_version_is_a_valid_release_number() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)


def test_version_is_the_same_in_every_file() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    ui = json.loads((ROOT / "ui" / "package.json").read_text())["version"]
    locked_version = json.loads((ROOT / "ui" / "package-lock.json").read_text())["version"]
    [newest, *_] = re.findall(r"^## ([0-9]\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert {project, ui, locked_version, newest} == {VERSION}


@pytest.mark.parametrize("arguments", [["--version"], ["desktop", "--version"]])
def test_commands_print_the_version(arguments: list[str]) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "app", *arguments], capture_output=True, text=True, check=True
    )
    assert process.stdout == f"{VERSION}\n"


def test_packaged_app_prints_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        parse_arguments(["--version"])
    assert capsys.readouterr().out == f"{VERSION}\n"
