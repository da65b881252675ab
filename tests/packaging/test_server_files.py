"""The files that run the hosted portal, and the guide that explains them."""

import configparser
import re
from pathlib import Path

import pytest

from app.__main__ import _COMMANDS
from app.server.settings import Settings

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "packaging" / "server"
GUIDE = ROOT / "docs" / "deployment.md"
UNITS = sorted(SERVER.glob("*.service"))
_VARIABLE = re.compile(r"\b(?:PORTAL_[A-Z_]+[A-Z]|DATABASE_URL)\b")
_CADDY_VARIABLES = {"PORTAL_DOMAIN", "PORTAL_UPSTREAM"}


def list_variables() -> set[str]:
    """Return the names of the environment variables of all settings."""
    return {
        str(field.validation_alias or f"PORTAL_{name.upper()}")
        for name, field in Settings.model_fields.items()
    }


def read_unit(path: Path) -> configparser.RawConfigParser:
    """Read a systemd unit; a repeated name has its last value."""
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str
    unit.read(path)
    return unit


class TestSettings:
    """Settings in the guide, units, and containers."""

    @pytest.mark.parametrize("path", [GUIDE, *sorted(SERVER.iterdir())], ids=lambda path: path.name)
    def test_named_settings_exist(self, path: Path) -> None:
        assert set(_VARIABLE.findall(path.read_text())) <= list_variables() | _CADDY_VARIABLES

    def test_the_guide_has_the_default_of_every_setting(self) -> None:
        rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", GUIDE.read_text(), re.MULTILINE))
        assert set(rows) == list_variables()
        for name, field in Settings.model_fields.items():
            if name not in ("data_dir", "ui_dir"):
                variable = str(field.validation_alias or f"PORTAL_{name.upper()}")
                assert rows[variable].strip() == format_default(field.default), variable


def format_default(default: object) -> str:
    """Return a default as the guide shows it."""
    if default is None:
        return ""
    if isinstance(default, bool):
        return str(default).lower()
    return f"{default:g}" if isinstance(default, float) else str(default)


class TestGuide:
    """``docs/deployment.md``."""

    def test_commands_exist(self) -> None:
        text = GUIDE.read_text()
        command_names = re.findall(r"(?:^ {4}portal|python -m app) ([a-z]+)", text, re.MULTILINE)
        assert (
            {"serve", "backup", "restore", "audit", "admin"} <= set(command_names) <= set(_COMMANDS)
        )

    def test_files_exist(self) -> None:
        text = GUIDE.read_text()
        for name in re.findall(r"packaging/server/[\w.@-]+\w", text):
            if name not in (
                "packaging/server/portal.env",
                "packaging/server/.env",
            ):  # administrators create these
                assert (ROOT / name).exists(), name
        for name in re.findall(r"\]\(((?:\.\./|adr/)[^)]+)\)", text):
            assert (GUIDE.parent / name).exists(), name


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
class TestUnits:
    """Units of systemd."""

    def test_runs_a_command_of_the_portal(self, path: Path) -> None:
        words = read_unit(path)["Service"]["ExecStart"].split()
        assert words[:3] == ["/opt/lab-portal-server/.venv/bin/python", "-m", "app"]
        assert words[3] in _COMMANDS

    def test_has_only_the_permissions_that_it_needs(self, path: Path) -> None:
        service = read_unit(path)["Service"]
        assert service["User"] == "lab-portal"
        assert service["CapabilityBoundingSet"] == ""
        assert service["ProtectSystem"] == "strict"
        for name in ("NoNewPrivileges", "PrivateDevices", "PrivateTmp", "ProtectHome"):
            assert service[name] == "yes"


class TestContainer:
    """``Containerfile``: there is no builder here, so its text is read."""

    @pytest.fixture
    def stages(self) -> list[list[list[str]]]:
        """The instructions of each stage, in words."""
        text = (SERVER / "Containerfile").read_text()
        text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
        stages: list[list[list[str]]] = []
        for line in filter(None, map(str.strip, text.splitlines())):
            words = line.split()
            if words[0] == "FROM":
                stages.append([])
            stages[-1].append(words)
        return stages

    def test_copies_only_existing_files(self, stages: list[list[list[str]]]) -> None:
        lines = (ROOT / ".dockerignore").read_text().splitlines()
        included_paths = [line.removeprefix("!") for line in lines if line.startswith("!")]
        for words in (words for stage in stages for words in stage if words[0] == "COPY"):
            if words[1].startswith("--from="):
                continue
            for source in words[1:-1]:
                assert (ROOT / source).exists(), source
                assert any(Path(source).is_relative_to(path) for path in included_paths), source

    def test_runs_as_an_ordinary_user(self, stages: list[list[list[str]]]) -> None:
        last = [words[0] for words in stages[-1]]
        assert ["USER", "portal"] in stages[-1]
        assert last.index("USER") > max(i for i, name in enumerate(last) if name in ("RUN", "COPY"))
        assert {"HEALTHCHECK", "VOLUME", "EXPOSE"} <= set(last)
        assert stages[-1][-1] == ["CMD", '["python",', '"-m",', '"app",', '"serve"]']
