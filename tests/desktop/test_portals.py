"""The choice of a portal: at the first start, among several, and where settings prevent it."""

import errno
import json
from collections.abc import Iterator
from pathlib import Path

import httpcore
import httpx
import pytest

from app.basics.errors import Forbidden
from app.contract import messages
from app.desktop import configuration
from app.desktop.application import Workstation
from app.desktop.errors import SettingsError
from app.desktop.files import JsonFile
from app.desktop.portals import PortalChoice
from app.desktop.relay.portal import Portal
from app.desktop.relay.session import Session
from app.desktop.settings import KnownPortal, Settings, parse_arguments, read_settings
from app.desktop.vault.memory import MemoryVault
from tests.desktop.conftest import SIGN_IN
from tests.desktop.host import run_sidecar
from tests.desktop.printing import add_printer, print_to
from tests.desktop.standins import StandInPortal, StandInPrinter, serve_app
from tests.desktop.test_vault import Keyring
from tests.standins.ports import reserve_port

CURRENT_PATH = "/device/portals/current"


@pytest.fixture
def second_portal() -> StandInPortal:
    """The portal of another lab."""
    return StandInPortal()


@pytest.fixture
def second_url(second_portal: StandInPortal) -> Iterator[str]:
    """The address of the other lab's portal."""
    with serve_app(second_portal.app) as url:
        yield url


@pytest.fixture
def new_app(tmp_path: Path, ui_dir: Path) -> Iterator[httpx.Client]:
    """A page of an app that has no portal yet."""
    station = Workstation(keyring=Keyring)
    with run_sidecar(None, tmp_path / "c", ui_dir, station) as host, host.open_page() as page:
        yield page


def read_file(tmp_path: Path) -> dict[str, object]:
    """Return the person's settings."""
    return dict(json.loads((tmp_path / "c" / "desktop.json").read_bytes()))


class TestFirstStart:
    def test_says_that_no_portal_is_chosen(self, new_app: httpx.Client) -> None:
        assert new_app.get("/capabilities").json()["portal"]["cause"] == "not_chosen"
        assert new_app.get("/api/v2/x").status_code == 503
        assert new_app.get("/device/portals").json() == {
            "current": None,
            "fixedBy": None,
            "portals": [],
        }

    def test_uses_and_remembers_a_portal_that_answers(
        self, new_app: httpx.Client, tmp_path: Path, portal_url: str
    ) -> None:
        answer = new_app.put(CURRENT_PATH, json={"url": f" {portal_url}/ "})
        assert answer.json() == {
            "address": portal_url,
            "cause": None,
            "problem": None,
            "advice": None,
            "newerVersion": None,
        }
        assert new_app.get("/capabilities").json()["lab"]["title"] == "Invented Lab"
        assert new_app.post("/auth/login", json=SIGN_IN).status_code == 200
        assert read_file(tmp_path) == {
            "portalUrl": portal_url,
            "portals": [{"url": portal_url, "name": "Invented Lab"}],
        }

    def test_names_the_cause_and_changes_nothing(
        self, new_app: httpx.Client, tmp_path: Path
    ) -> None:
        with reserve_port() as port:
            url = f"http://127.0.0.1:{port}"
            assert new_app.put(CURRENT_PATH, json={"url": url}).json()["cause"] == "not_listening"
        answer = new_app.put(CURRENT_PATH, json={"url": "portal.invalid"}).json()
        assert answer["cause"] == "unknown_host"
        assert answer["address"] == "https://portal.invalid"
        assert not (tmp_path / "c" / "desktop.json").exists()
        assert new_app.get("/device/portals").json()["current"] is None

    @pytest.mark.parametrize(
        "url",
        [
            "",
            "http://portal.example",
            "https://portal:abc",
            "https://192.168.1.300",
            "a..example",
            "portal\u200b.example",  # copied from a document, with a space that nobody sees
        ],
    )
    def test_rejects_invalid_addresses(self, new_app: httpx.Client, url: str) -> None:
        answer = new_app.put(CURRENT_PATH, json={"url": url})
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "url"

    def test_says_why_it_cannot_remember_a_portal(
        self, new_app: httpx.Client, tmp_path: Path, portal_url: str
    ) -> None:
        file = tmp_path / "c" / "desktop.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text('{"proxy": "none",}')
        answer = new_app.put(CURRENT_PATH, json={"url": portal_url})
        assert answer.status_code == 409
        assert f"{file} cannot be read: line 1" in answer.json()["detail"]
        choices = new_app.get("/device/portals").json()
        assert (choices["current"], choices["portals"]) == (None, [])

    def test_says_that_the_file_cannot_be_written(
        self, new_app: httpx.Client, portal_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(JsonFile, "write", fail)
        answer = new_app.put(CURRENT_PATH, json={"url": portal_url})
        assert answer.status_code == 409
        assert "desktop.json cannot be changed: No space left" in answer.json()["detail"]


class TestRemoval:
    def test_removes_a_portal_that_is_not_in_use(
        self, new_app: httpx.Client, tmp_path: Path, portal_url: str, second_url: str
    ) -> None:
        for url in (portal_url, second_url):
            new_app.put(CURRENT_PATH, json={"url": url})
        list_answer = new_app.get("/device/portals").json()["portals"]
        assert [(p["url"], p["canRemove"]) for p in list_answer] == [
            (portal_url, True),
            (second_url, False),
        ]
        used = new_app.delete("/device/portals", params={"url": second_url})
        assert used.status_code == 403
        assert used.json()["detail"] == messages.PORTAL_NOT_REMOVABLE
        for status in (204, 404):
            answer = new_app.delete("/device/portals", params={"url": portal_url})
            assert answer.status_code == status
        assert [p["url"] for p in new_app.get("/device/portals").json()["portals"]] == [second_url]
        assert read_file(tmp_path) == {
            "portalUrl": second_url,
            "portals": [{"url": second_url, "name": "Invented Lab"}],
        }

    def test_leaves_the_portals_of_the_computers_settings(
        self, tmp_path: Path, ui_dir: Path, portal_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        machine = tmp_path / "machine"
        machine.mkdir()
        monkeypatch.setattr(configuration, "get_machine_dir", lambda: machine)
        monkeypatch.setenv("PORTAL_DESKTOP_DIR", str(tmp_path / "c"))
        monkeypatch.setenv("PORTAL_UI_DIR", str(ui_dir))
        monkeypatch.delenv("PORTAL_URL", raising=False)
        content = {"portals": [{"url": "https://main.example", "name": "Main"}]}
        (machine / "desktop.json").write_text(json.dumps(content))
        settings = read_settings(parse_arguments([]))
        assert settings.portals == (KnownPortal("https://main.example", "Main", is_fixed=True),)
        portal = Portal(None)
        choice = PortalChoice(settings, portal, Session(portal))
        with pytest.raises(Forbidden):
            choice.remove("https://main.example")


class TestSeveralPortals:
    def test_each_has_its_own_session(
        self,
        new_app: httpx.Client,
        portal: StandInPortal,
        portal_url: str,
        second_portal: StandInPortal,
        second_url: str,
    ) -> None:
        new_app.put(CURRENT_PATH, json={"url": portal_url})
        new_app.post("/auth/login", json=SIGN_IN)
        ended_count = new_app.get("/device/presence").json()["sessionsEnded"]
        new_app.put(CURRENT_PATH, json={"url": second_url})
        # The app's windows sign out, and no token of one portal reaches the other.
        assert new_app.get("/device/presence").json()["sessionsEnded"] > ended_count
        assert new_app.get("/api/v2/x").status_code == 401
        headers = second_portal.calls[-1]["headers"]
        assert "authorization" not in dict(headers)  # type: ignore[call-overload]
        # The session with the first portal continues.
        new_app.put(CURRENT_PATH, json={"url": portal_url})
        assert new_app.get("/api/v2/x").status_code == 200
        assert [p["url"] for p in new_app.get("/device/portals").json()["portals"]] == [
            portal_url,
            second_url,
        ]

    async def test_no_token_reaches_the_next_portal_while_old_calls_end(
        self,
        tmp_path: Path,
        portal_url: str,
        second_url: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        portal = Portal(portal_url)
        session = Session(portal)
        await session.start(MemoryVault())
        async with httpx.AsyncClient() as http:
            answer = await http.post(f"{portal_url}/auth/login", json=SIGN_IN)
        await session.adopt_tokens(answer.content)
        tokens_meanwhile: list[str | None] = []

        async def close_slowly(_pool: httpcore.AsyncConnectionPool) -> None:
            tokens_meanwhile.append(await session.get_token())

        monkeypatch.setattr(httpcore.AsyncConnectionPool, "aclose", close_slowly)
        settings = Settings(portal_url, config_dir=tmp_path, ui_dir=tmp_path)
        await PortalChoice(settings, portal, session).choose(second_url)
        assert portal.url == second_url
        # The candidate's own connections are closed first, before the switch.
        assert tokens_meanwhile[0] is not None
        assert tokens_meanwhile[-1] is None

    def test_the_settings_of_the_computer_prevent_a_choice(
        self, tmp_path: Path, ui_dir: Path, portal_url: str, second_url: str
    ) -> None:
        source = "/etc/lab-portal/desktop.json"
        with (
            run_sidecar(portal_url, tmp_path / "c", ui_dir, fixed_by=source) as host,
            host.open_page() as page,
        ):
            assert page.get("/device/portals").json()["fixedBy"] == source
            answer = page.put(CURRENT_PATH, json={"url": second_url})
        assert answer.status_code == 403
        assert source in answer.json()["detail"]


class TestWrongSettings:
    def test_uses_settings_as_soon_as_they_are_corrected(
        self, tmp_path: Path, ui_dir: Path, portal_url: str
    ) -> None:
        corrected_settings: list[Settings] = []

        def reload() -> Settings:
            if not corrected_settings:
                raise SettingsError("still a stray comma")
            return corrected_settings[0]

        station = Workstation(keyring=lambda: None, reload_settings=reload)
        with (
            run_sidecar(None, tmp_path / "c", ui_dir, station, problem="a stray comma") as host,
            host.open_page() as page,
        ):
            portal = page.get("/capabilities").json()["portal"]
            assert portal["problem"] == "still a stray comma"
            assert page.put(CURRENT_PATH, json={"url": portal_url}).status_code == 403
            corrected_settings.append(Settings(portal_url, tmp_path / "c", ui_dir))
            answer = page.get("/capabilities").json()
        assert answer["lab"]["title"] == "Invented Lab"
        assert answer["portal"]["cause"] is None

    def test_uses_all_corrected_settings_without_a_restart(
        self, tmp_path: Path, ui_dir: Path, portal_url: str
    ) -> None:
        settings = Settings(
            portal_url, tmp_path / "c", ui_dir, local_printers=True, names_in_titles=True
        )
        station = Workstation(keyring=lambda: None, reload_settings=lambda: settings)
        printer = StandInPrinter()
        with (
            run_sidecar(
                None, tmp_path / "c", ui_dir, station, local_printers=False, problem="a stray comma"
            ) as host,
            host.open_page() as page,
        ):
            body = {"name": "Bench", "host": "127.0.0.1", "port": printer.port}
            assert page.post("/device/printers", json=body).status_code == 400
            assert page.get("/capabilities").json()["namesInTitles"] is True
            answer = print_to(page, add_printer(page, printer.port))
        printer.close()
        assert answer.status_code == 200, answer.text
        assert len(printer.jobs) == 1
