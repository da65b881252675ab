"""One running app per person: a second start hands over to the first."""

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.desktop import main
from app.desktop.errors import SettingsError
from app.desktop.instance import Instance, parse_link
from tests.desktop.host import run_desktop_process
from tests.desktop.test_process import start_and_fail


class ShownPaths:
    """Records what later starts make the app show."""

    def __init__(self) -> None:
        self.paths: list[str | None] = []
        self.has_windows = True

    def __call__(self, path: str | None) -> bool:
        self.paths.append(path)
        return self.has_windows


@pytest.fixture
def shown_paths() -> ShownPaths:
    return ShownPaths()


@pytest.fixture
def first_app(tmp_path: Path, shown_paths: ShownPaths) -> Iterator[Instance]:
    """The first app."""
    instance = Instance(tmp_path)
    assert instance.claim()
    instance.listen(shown_paths)
    yield instance
    instance.close()


class TestSecondStart:
    def test_brings_the_first_window_forward(
        self, tmp_path: Path, first_app: Instance, shown_paths: ShownPaths
    ) -> None:
        second = Instance(tmp_path)
        assert not second.claim()
        assert second.hand_over(None)
        assert shown_paths.paths == [None]

    def test_passes_the_requested_screen_to_the_running_app(
        self, tmp_path: Path, first_app: Instance, shown_paths: ShownPaths
    ) -> None:
        path = parse_link("labportal://requisition/R260000123")
        assert Instance(tmp_path).hand_over(path)
        assert shown_paths.paths == ["/secured/results/lab;openCode=R260000123"]

    @pytest.mark.parametrize(
        "line",
        [b'{"secret": "wrong"}\n', b"[]\n", b"nonsense\n", b"\n", b"[" * 4_000 + b"\n"],
        ids=["wrong secret", "no object", "no JSON", "empty", "too deep"],
    )
    def test_ignores_requests_without_the_secret(
        self, tmp_path: Path, first_app: Instance, shown_paths: ShownPaths, line: bytes
    ) -> None:
        file = tmp_path / "instance.json"
        assert file.stat().st_mode & 0o077 == 0
        port = json.loads(file.read_bytes())["port"]
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(line)
            assert connection.recv(100) == b""
        assert shown_paths.paths == []
        assert Instance(tmp_path).hand_over(None)

    def test_serves_later_starts_after_a_window_failed(self, tmp_path: Path) -> None:
        class FailingWindow:
            """Fails to show the first screen."""

            count = 0

            def __call__(self, path: str | None) -> bool:
                self.count += 1
                if self.count == 1:
                    raise RuntimeError("the window system failed")
                return True

        app = Instance(tmp_path)
        assert app.claim()
        app.listen(FailingWindow())
        assert not Instance(tmp_path).hand_over(None)
        assert Instance(tmp_path).hand_over(None)
        app.close()

    def test_knows_that_an_app_without_windows_shows_nothing(
        self, tmp_path: Path, first_app: Instance, shown_paths: ShownPaths
    ) -> None:
        shown_paths.has_windows = False
        assert not Instance(tmp_path).hand_over(None)

    def test_waits_for_an_app_that_has_no_window_yet(
        self, tmp_path: Path, shown_paths: ShownPaths
    ) -> None:
        starting_app, second = Instance(tmp_path), Instance(tmp_path)
        assert starting_app.claim()
        timer = threading.Timer(0.5, starting_app.listen, (shown_paths,))
        timer.start()
        assert main._claim(second, "/secured/patients", is_headless=False) == 0
        timer.join()
        assert shown_paths.paths == ["/secured/patients"]
        starting_app.close()

    def test_takes_over_from_an_app_that_ends(
        self, tmp_path: Path, shown_paths: ShownPaths
    ) -> None:
        ending_app, second = Instance(tmp_path), Instance(tmp_path)
        assert ending_app.claim()
        ending_app.listen(shown_paths)
        ending_app.stop_listening()
        timer = threading.Timer(0.5, ending_app.close)
        timer.start()
        assert main._claim(second, None, is_headless=False) is None
        timer.join()
        assert shown_paths.paths == []
        second.close()

    def test_starts_when_the_first_app_has_ended(
        self, tmp_path: Path, shown_paths: ShownPaths
    ) -> None:
        first, second = Instance(tmp_path), Instance(tmp_path)
        assert first.claim()
        first.listen(shown_paths)
        first.close()
        assert not second.hand_over(None)
        assert second.claim()
        second.close()

    def test_the_real_program_ends_and_leaves_the_settings_unchanged(
        self, tmp_path: Path, portal_url: str, ui_dir: Path
    ) -> None:
        with run_desktop_process(portal_url, tmp_path / "config", ui_dir) as host:
            code, text = start_and_fail(
                "--headless",
                "--portal",
                portal_url,
                PORTAL_DESKTOP_DIR=str(host.config_dir),
                PORTAL_UI_DIR=str(ui_dir),
            )
        assert code == 3
        assert "already running" in text


class TestLinks:
    @pytest.mark.parametrize(
        "link",
        [
            "labportal://requisition/R260000123",
            "LABPORTAL://requisition/r260000123/",
            "labportal:requisition/R260000123",
        ],
    )
    def test_open_a_requisition(self, link: str) -> None:
        assert parse_link(link).endswith(";openCode=R260000123")

    @pytest.mark.parametrize(
        "link",
        [
            "https://portal.example",
            "labportal://requisition/",
            "labportal://requisition/R26000012345",
            "labportal://requisition/R260000123;x=1",
            "labportal://requisition/../../auth/logout",
            "labportal://patient/R260000123",
        ],
    )
    def test_rejects_other_links(self, link: str) -> None:
        with pytest.raises(SettingsError):
            parse_link(link)
