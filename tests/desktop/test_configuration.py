"""Settings files: mistakes are named, and the computer's file overrides a person's."""

import json
from pathlib import Path

import pytest

from app.contract import messages
from app.desktop.configuration import (
    FILE_NAME,
    parse_policy,
    read_owned_file,
    validate_settings,
)
from app.desktop.errors import SettingsError
from app.desktop.settings import KnownPortal, Network, Settings, parse_arguments, read_settings
from tests.desktop.test_process import start_and_fail

URL = "https://portal.example"


@pytest.fixture
def computer_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file for the whole computer."""
    folder = tmp_path / "machine"
    folder.mkdir()
    monkeypatch.setattr("app.desktop.configuration.get_machine_dir", lambda: folder)
    return folder / FILE_NAME


@pytest.fixture
def person_file(
    tmp_path: Path, ui_dir: Path, computer_file: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A person's file, the only source of settings."""
    folder = tmp_path / "person"
    folder.mkdir()
    monkeypatch.setenv("PORTAL_DESKTOP_DIR", str(folder))
    monkeypatch.setenv("PORTAL_UI_DIR", str(ui_dir))
    monkeypatch.delenv("PORTAL_URL", raising=False)
    monkeypatch.delenv("PORTAL_LOCAL_PRINTERS", raising=False)
    return folder / FILE_NAME


def read_arguments(*argv: str) -> Settings:
    """Read the settings as the program does with these arguments."""
    return read_settings(parse_arguments(list(argv)))


class FakeSecurity:
    """A stand-in for the calls of pywin32's ``win32security`` that the app uses."""

    def __init__(self, owner: str | None) -> None:
        self._owner = owner

    def GetFileSecurity(self, path: str, parts: int) -> "FakeSecurity":  # noqa: N802
        assert Path(path).exists() and parts == 1
        if self._owner is None:
            raise RuntimeError("Access is denied.")
        return self

    def GetSecurityDescriptorOwner(self) -> str | None:  # noqa: N802
        return self._owner

    def ConvertSidToStringSid(self, owner: str) -> str:  # noqa: N802
        return owner


class TestOwner:
    """On Windows, everybody may create files where the computer's settings are."""

    @pytest.mark.parametrize("owner", ["S-1-5-18", "S-1-5-32-544"])
    def test_a_file_of_an_administrator_counts(self, tmp_path: Path, owner: str) -> None:
        file = tmp_path / FILE_NAME
        file.write_text(f'{{"portalUrl": "{URL}"}}')
        assert read_owned_file(file, FakeSecurity(owner)).values == {"portalUrl": URL}

    @pytest.mark.parametrize("owner", ["S-1-5-21-1004336348-1177238915-682003330-1003", None])
    @pytest.mark.parametrize("content", ['{"portalUrl": "https://elsewhere.example"}', "broken"])
    def test_a_file_of_anybody_else_is_ignored(
        self, tmp_path: Path, owner: str | None, content: str
    ) -> None:
        file = tmp_path / FILE_NAME
        file.write_text(content)
        assert read_owned_file(file, FakeSecurity(owner)).values == {}

    def test_a_file_may_be_absent(self, tmp_path: Path) -> None:
        assert read_owned_file(tmp_path / FILE_NAME, FakeSecurity(None)).values == {}


class TestMistakes:
    """A file with a mistake is never ignored: the app would talk to another portal."""

    def test_names_the_line_of_a_stray_comma(self, person_file: Path) -> None:
        person_file.write_text(f'{{\n  "portalUrl": "{URL}",\n}}')
        with pytest.raises(SettingsError) as raised:
            read_arguments()
        assert str(raised.value) == messages.SETTINGS_FILE_BROKEN.format(
            file=person_file, line=3, column=1
        )
        assert person_file.exists()

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ('["a"]', "one JSON object"),
            pytest.param("[" * 100_000, "one JSON object", id="thousands of brackets"),
            ('{"portalURL": "https://a.example"}', "portalURL. Is it portalUrl?"),
            ('{"color": 1}', "does not exist: color."),
            ('{"portalUrl": 5}', "portalUrl must be an address"),
            ('{"portalUrl": ""}', "portalUrl must be an address"),
            ('{"portalUrl": "https://host:abc"}', "port"),
            ('{"portals": ["https://a.example"]}', "portals must be a list"),
            ('{"portals": [{"url": "ftp://a.example"}]}', "https://"),
            ('{"localPrinters": "yes"}', "localPrinters must be true or false"),
            ('{"namesInTitles": 1}', "namesInTitles must be true or false"),
        ],
    )
    def test_names_each_error(self, person_file: Path, content: str, message: str) -> None:
        person_file.write_text(content)
        with pytest.raises(SettingsError) as raised:
            read_arguments()
        assert message in str(raised.value)

    def test_names_a_file_that_is_not_text(self, person_file: Path) -> None:
        person_file.write_bytes(b"\xff\xfe\xff")
        with pytest.raises(SettingsError, match="it is not text"):
            read_arguments()

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ('{"portalUrl": "https://host:abc"}', "port"),
            ('{"portalUrl": "https://portal.example",}', "line 1, column 40"),
            ('{"portalUrl": "https://portal.example", "proxy": "ftp://x"}', "proxy"),
            (
                '{"portalUrl": "https://portal.example", "certificateAuthority": "/none.pem"}',
                "/none.pem has no certificate",
            ),
        ],
    )
    def test_the_command_line_reports_mistakes_without_a_traceback(
        self, person_file: Path, ui_dir: Path, content: str, message: str
    ) -> None:
        person_file.write_text(content)
        code, text = start_and_fail(
            "--headless", PORTAL_DESKTOP_DIR=str(person_file.parent), PORTAL_UI_DIR=str(ui_dir)
        )
        assert code == 2
        assert message in text
        assert "Traceback" not in text


class TestSources:
    def test_the_computers_file_overrides_a_persons_file(
        self, person_file: Path, computer_file: Path
    ) -> None:
        computer_file.write_text(json.dumps({"portalUrl": URL, "proxy": "none"}))
        person_file.write_text(json.dumps({"portalUrl": "https://b.example", "proxy": "p:3128"}))
        settings = read_arguments()
        assert settings.portal_url == URL
        assert settings.fixed_by == str(computer_file)
        assert settings.network == Network("none")

    def test_rejects_another_portal_on_the_command_line(
        self, person_file: Path, computer_file: Path
    ) -> None:
        computer_file.write_text(json.dumps({"portalUrl": URL}))
        assert read_arguments("--portal", URL).portal_url == URL
        with pytest.raises(SettingsError, match="sets the portal of this computer"):
            read_arguments("--portal", "https://b.example")

    def test_a_person_adds_portals_to_those_of_the_computer(
        self, person_file: Path, computer_file: Path
    ) -> None:
        computer_file.write_text(json.dumps({"portals": [{"url": URL + "/", "name": "Main"}]}))
        person_file.write_text(
            json.dumps({"portalUrl": "https://b.example", "portals": [{"url": URL, "name": "X"}]})
        )
        settings = read_arguments()
        assert settings.portal_url == "https://b.example"
        assert settings.fixed_by is None
        assert settings.portals == (
            KnownPortal(URL, "Main", is_fixed=True),
            KnownPortal("https://b.example"),
        )

    @pytest.mark.parametrize(
        ("computer", "person", "is_allowed"),
        [
            ({}, {}, False),
            ({}, {"namesInTitles": True}, True),
            ({"namesInTitles": False}, {"namesInTitles": True}, False),
        ],
    )
    def test_titles_name_patients_only_if_a_setting_allows_it(
        self,
        person_file: Path,
        computer_file: Path,
        computer: dict[str, object],
        person: dict[str, object],
        is_allowed: bool,
    ) -> None:
        computer_file.write_text(json.dumps(computer))
        person_file.write_text(json.dumps(person))
        assert read_arguments().names_in_titles is is_allowed

    def test_needs_no_portal(self, person_file: Path) -> None:
        assert read_arguments().portal_url is None

    def test_reads_settings_from_windows_policies(self) -> None:
        values = {
            name: parse_policy(name, value)
            for name, value in {
                "portalUrl": URL,
                "localPrinters": 1,
                "namesInTitles": 0,
                "portals": f'[{{"url": "{URL}"}}]',
            }.items()
        }
        validate_settings("policy", values)
        assert (values["localPrinters"], values["namesInTitles"]) == (True, False)
        with pytest.raises(SettingsError):
            validate_settings("policy", {"portals": parse_policy("portals", "nonsense")})
