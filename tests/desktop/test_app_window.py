"""Windows: their positions, titles, guard against lost work, and pages that crash."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from app.desktop.application import Workstation
from app.desktop.launch import Launch
from app.desktop.window import app_window, native
from app.desktop.window.app_window import AppWindow
from app.desktop.window.host import AppWindows
from app.desktop.window.places import Area, Place, RememberedPlace, choose_place
from tests.desktop.host import ROOT, run_sidecar
from tests.desktop.screen import Screen, run_virtual_screen
from tests.desktop.test_window import run_window

SCREEN = Area(0, 0, 1920, 1080)
SECOND = Area(1920, 0, 1280, 1024)


class TestPlaces:
    def test_first_window_opens_in_the_middle_of_the_screen(self) -> None:
        assert choose_place(Place(), [], [SCREEN]) == Place(1280, 860, 320, 110)

    def test_window_opens_where_the_last_one_closed(self) -> None:
        place = Place(900, 700, 2000, 50, zoom=1.25)
        assert choose_place(place, [], [SCREEN, SECOND]) == place

    def test_window_does_not_cover_open_windows(self) -> None:
        last_place = Place(900, 700, 100, 100)
        corners: list[tuple[int, int]] = []
        for _ in range(6):
            place = choose_place(last_place, corners, [SCREEN])
            assert place.x is not None and place.y is not None
            assert all(max(abs(place.x - x), abs(place.y - y)) >= 30 for x, y in corners), (
                "covers another window"
            )
            assert place.x + place.width <= SCREEN.width
            assert place.y + place.height <= SCREEN.height
            corners.append((place.x, place.y))

    @pytest.mark.parametrize("screen", [Area(0, 0, 1366, 728), Area(0, 0, 1280, 984)])
    @pytest.mark.parametrize("last_place", [Place(), Place(1600, 900, 0, 0, maximized=True)])
    def test_window_does_not_cover_others_on_a_small_screen(
        self, screen: Area, last_place: Place
    ) -> None:
        corners: list[tuple[int, int]] = []
        for _ in range(8):
            place = choose_place(last_place, corners, [screen])
            assert place.x is not None and place.y is not None
            assert all(max(abs(place.x - x), abs(place.y - y)) >= 30 for x, y in corners), (
                "covers another window"
            )
            assert place.x + place.width <= screen.width
            assert place.y + place.height <= screen.height
            corners.append((place.x, place.y))

    def test_window_opens_on_a_connected_screen(self) -> None:
        place = choose_place(Place(3000, 2000, 4000, -900), [], [SCREEN])
        assert place == Place(1920, 1080, 0, 0)

    def test_first_window_is_maximized_like_the_last_one(self) -> None:
        last_place = Place(900, 700, 0, 0, maximized=True)
        assert choose_place(last_place, [], [SCREEN]).maximized
        assert not choose_place(last_place, [(0, 0)], [SCREEN]).maximized

    def test_place_is_stored_on_disk(self, tmp_path: Path) -> None:
        file = tmp_path / "window.json"
        place = Place(900, 700, 10, 20, zoom=1.5)
        RememberedPlace(file).write(place)
        assert RememberedPlace(file).read() == place
        file.write_text('{"width": 800, "zoom": 2, "later": true}')
        assert RememberedPlace(file).read() == Place(width=800, zoom=2)
        for content in ('{"width": "wide"}', '{"x": 1.5}', '{"zoom": null}', "[]", "{"):
            file.write_text(content)
            assert RememberedPlace(file).read() == Place()


class TestScreens:
    """A window opens on a screen that still exists."""

    def test_a_screen_that_is_gone_is_noticed_by_the_next_window(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(native, "IS_QT", False)
        corners: list[tuple[int, int]] = []

        def create_window(_: str, *, x: int, y: int, **__: object) -> WebWindow:
            corners.append((x, y))
            return WebWindow()

        library = SimpleNamespace(
            settings={}, screens=[SCREEN, SECOND], create_window=create_window
        )
        monkeypatch.setitem(sys.modules, "webview", library)
        last_place = RememberedPlace(tmp_path / "window.json")
        last_place.write(Place(900, 700, 2000, 50))
        windows = AppWindows("http://127.0.0.1:9", Launch(), last_place)
        windows.open("/secured/results/lab")
        library.screens.remove(SECOND)
        windows.open("/secured/results/lab")
        assert corners == [(2000, 50), (1020, 50)]

    def test_other_threads_ask_the_gui_thread_for_the_screens(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
        process = subprocess.run(
            [sys.executable, "-c", _LISTS_SCREENS],
            env=environment,
            capture_output=True,
            timeout=120,
            check=True,
        )
        first, second, gui_thread = json.loads(process.stdout)
        assert first == second and len(first) == 1
        assert gui_thread == ["MainThread", "MainThread"]


_LISTS_SCREENS = """
import json, threading
from app.desktop.window import native

names, read_screens = [], native._list_qt_screens

def read_and_note():
    names.append(threading.current_thread().name)
    return read_screens()

native._list_qt_screens = read_and_note
answers = [native.list_screens(None)]
from PySide6.QtWidgets import QApplication
application = QApplication.instance()

def ask():
    answers.append(native.list_screens(None))
    application.quit()

threading.Thread(target=ask).start()
application.exec()
print(json.dumps([*[[str(area) for area in areas] for areas in answers], names]))
"""


class RecordedWindows:
    """Records what pages request of their windows."""

    can_open = True

    def __init__(self) -> None:
        self.changes: list[tuple[str, str | None, str | None]] = []

    def open(self, path: str) -> None:
        raise AssertionError("no test here opens a window")

    async def choose_file(self, name: str) -> Path | None:
        return None

    async def copy(self, text: str) -> bool:
        return False

    def change(self, window: str, act: str | None, title: str | None) -> None:
        self.changes.append((window, act, title))


class TestRoute:
    """PUT /device/windows/current."""

    def test_a_page_changes_only_its_own_window(self, tmp_path: Path, ui_dir: Path) -> None:
        windows = RecordedWindows()
        station = Workstation(windows=windows, keyring=lambda: None)
        nowhere = "http://127.0.0.1:9"
        with (
            run_sidecar(nowhere, tmp_path / "c", ui_dir, station) as host,
            host.open_page() as page,
        ):
            for body in ({"act": "guards"}, {"title": "Patients"}, {"act": "closes"}):
                assert page.put("/device/windows/current", json=body).status_code == 204
            assert page.put("/device/windows/current", json={"act": "x"}).status_code == 400
        assert windows.changes == [
            ("test", "guards", None),
            ("test", None, "Patients"),
            ("test", "closes", None),
        ]

    def test_a_page_without_a_window_changes_nothing(self, page: httpx.Client) -> None:
        assert page.put("/device/windows/current", json={"act": "closes"}).status_code == 204


class WebWindow:
    """A window of pywebview without a screen."""

    class Events:
        def __init__(self) -> None:
            self.closing = self.closed = self.loaded = self

        def __iadd__(self, handler: object) -> "WebWindow.Events":
            return self

        def is_set(self) -> bool:
            return False

    def __init__(self) -> None:
        self.events = self.Events()
        self.scripts: list[str] = []
        self.loads: list[str] = []
        self.destroyed = threading.Event()

    def run_js(self, script: str) -> None:
        self.scripts.append(script)

    def load_url(self, url: str) -> None:
        self.loads.append(url)

    def destroy(self) -> None:
        self.destroyed.set()


class TestWithoutSidecar:
    """A window while the sidecar is being replaced."""

    def test_window_stays_open_until_its_page_can_answer(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(app_window, "_ANSWER_SECONDS", 0.01)
        waits, sidecar_answers = threading.Semaphore(0), threading.Event()

        def is_answering() -> bool:
            waits.release()
            return sidecar_answers.is_set()

        web = WebWindow()
        window = AppWindow(web, "http://x", Launch(), "/", "name", 1.0, is_answering)
        window.change("guards", None)
        assert window._handle_closing() is False
        for _ in range(3):
            assert waits.acquire(timeout=60)
        assert not web.destroyed.is_set()
        sidecar_answers.set()
        assert web.destroyed.wait(60)

    def test_window_reloads_a_page_that_was_still_loading(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(native, "prepare_window", lambda *_: None)
        web = WebWindow()
        window = AppWindow(web, "http://x", Launch(), "/", "name", 1.0, lambda: True)
        for _ in range(2):
            window._handle_loaded()
        assert len(web.scripts) == 1
        window.start_over()
        assert web.loads == ["http://x/device/launch"]
        window._handle_loaded()
        assert len(web.scripts) == 2
        window.change("guards", None)
        window.start_over()
        assert len(web.loads) == 1


_PAGE = """
(async () => {
  const put = (path, body) => fetch(path, {method: 'PUT', body: JSON.stringify(body),
    headers: {'Content-Type': 'application/json'}});
  const loads = ((await (await fetch('/device/preferences')).json()).loads || 0) + 1;
  let count = 0;
  addEventListener('portal:closing', async () => {
    count += 1;
    await put('/device/windows/current', {act: loads === 1 ? 'holds' : 'closes'});
    await put('/device/preferences/held', {value: count});
  });
  await put('/device/windows/current', {act: 'guards', title: 'Patients'});
  await put('/device/preferences/loads', {value: loads});
})();
"""


@pytest.fixture
def screen() -> Iterator[Screen]:
    """A virtual screen."""
    with run_virtual_screen() as screen_run:
        yield screen_run


class TestRealWindow:
    def test_asks_its_page_and_survives_a_killed_sidecar_and_a_crashed_page(
        self, screen: Screen, portal_url: str, tmp_path: Path, ui_dir: Path
    ) -> None:
        (ui_dir / "assets/page-4d5e6f.js").write_text(_PAGE)
        config = tmp_path / "config"
        program = (str(ROOT / "tests/desktop/guarded_window.py"), str(config))
        with run_window(screen, portal_url, config, ui_dir, program) as process:
            assert process.wait(120) == 0, (config / "log").read_text()
        log = (config / "log").read_text()
        assert "sidecar_ended" in log
        assert "page_restarted" in log
        assert "Traceback" not in log
        assert (config / "title").read_text() == "Patients"
        # Emulated OpenGL would take 105 MB.
        assert not re.search(r"_dri\.so|libLLVM", (config / "maps").read_text())
        place = json.loads((config / "window.json").read_bytes())
        assert (place["width"], place["height"]) == (900, 700)

    def test_prints_its_page_and_obeys_the_menu_of_the_tray(
        self, screen: Screen, portal_url: str, tmp_path: Path, ui_dir: Path
    ) -> None:
        config = tmp_path / "config"
        program = (str(ROOT / "tests/desktop/printed_window.py"), str(config))
        with run_window(screen, portal_url, config, ui_dir, program) as process:
            assert process.wait(120) == 0, (config / "log").read_text()
        assert "Traceback" not in (config / "log").read_text()
        assert (config / "page.pdf").read_bytes().startswith(b"%PDF")
        assert (config / "two-windows").exists()

    def test_shows_no_page_of_others_but_opens_it_in_the_browser_of_the_user(
        self,
        screen: Screen,
        portal_url: str,
        tmp_path: Path,
        ui_dir: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        config, opener = tmp_path / "config", tmp_path / "xdg-open"
        # Qt would start it in the environment of the package, and not as our child.
        opener.write_text(f'#!/bin/sh\necho "$PPID $1" >> {config}/opened\n')
        opener.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        program = (str(ROOT / "tests/desktop/leaving_window.py"), str(config))
        with run_window(screen, portal_url, config, ui_dir, program) as process:
            assert process.wait(60) == 0, (config / "log").read_text()
        assert (config / "opened").read_text() == f"{process.pid} https://elsewhere.example/\n"
        assert (config / "address").read_text().startswith("http://127.0.0.1:")
